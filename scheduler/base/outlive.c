/* SPDX-License-Identifier: BSD-3-Clause */
#include "outlive.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "signals.h"

static const int further[] = {SIGQUIT, SIGTSTP, SIGPIPE, SIGXFSZ};
enum { N_FURTHER = sizeof further / sizeof *further };

/* The i-th signal that such a process ignores; 0: there are no more. */
static int ignored_signal(size_t i)
{
    return i < N_FURTHER ? further[i] : sched_signals_ending(i - N_FURTHER);
}

void sched_outlive(const char *name)
{
    setsid();
    prctl(PR_SET_NAME, name);
    int number;
    for (size_t i = 0; (number = ignored_signal(i)); i++)
        signal(number, SIG_IGN);
}

void sched_outlive_restore(const sigset_t *ignored)
{
    int number;
    for (size_t i = 0; (number = ignored_signal(i)); i++)
        signal(number, sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL);
}

void sched_outlive_standard(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
}

void sched_outlive_keep(int *fds, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && fds[k - 1] > fds[k]; k--) {
            int fd = fds[k];
            fds[k] = fds[k - 1], fds[k - 1] = fd;
        }
    int next = 3;
    for (size_t i = 0; i < n; i++) {
        if (fds[i] > next)
            close_range((unsigned)next, (unsigned)fds[i] - 1, 0);
        next = fds[i] >= next ? fds[i] + 1 : next;
    }
    close_range((unsigned)next, ~0u, 0);
}
