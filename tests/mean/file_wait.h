/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank waits for a file. Another one makes it when the first has looked in vain more than once: that a
 * single look would be repeated nobody can know, and on a busy machine a time is no promise of a look. */
#include <signal.h>
#include <unistd.h>

/* Before MPI_Init: the signal by which the one that makes the file is told. */
static sigset_t file_wait_prepare(void)
{
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    sigprocmask(SIG_BLOCK, &told, NULL);
    return told;
}

/* maker: the process that will make it. */
static void file_wait(const char *name, pid_t maker)
{
    for (int looks = 1; access(name, F_OK) != 0; looks++) {
        if (looks > 1)
            kill(maker, SIGUSR1);
        usleep(1000);
    }
}

static void file_wait_looked(const sigset_t *told)
{
    int number;
    sigwait(told, &number);
}
