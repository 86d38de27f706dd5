/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=10 --livelock-rounds=500 */
/* Rank 1 looks for a message in vain, until something else tells it to go on: a thread, a timer's signal,
 * a process of its own, a file that comes from elsewhere. Until then it polls in states in which it
 * polled before, and that is no livelock, since such things may come (MPI-4.0, 3.8.1: a probe says
 * whether there is a message, and what the program does then is its own). They come after longer than isp
 * waits in one. Where the thread waits for ever, it is one. */
/* interleavings 1, twin 1 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATE_US = 1300000 };
enum way { THREAD, TIMER, CHILD, FILE_OF_OTHERS, WAYS };

static atomic_bool told;
static sem_t never;
static pid_t child;
static char file[64];

static void *rest(void *unused)
{
#ifndef TWIN
    sem_wait(&never);
#endif
    usleep(LATE_US);
    told = true;
    return unused;
}

/* Blocked, and looked for: a handler may come between two looks of isp's at a state. */
static sigset_t alarm_only(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    return set;
}

static void begin(enum way way)
{
    const struct itimerval late = {.it_value = {LATE_US / 1000000, LATE_US % 1000000}};
    char command[256];
    pthread_t thread;
    told = false;
    switch (way) {
    case THREAD:
        sem_init(&never, 0, 0);
        pthread_create(&thread, NULL, rest, NULL);
        pthread_detach(thread);
        break;
    case TIMER: setitimer(ITIMER_REAL, &late, NULL); break;
    case CHILD:
        child = fork();
        if (child == 0) {
            usleep(LATE_US);
            _exit(0);
        }
        break;
    default:
        snprintf(file, sizeof file, "/tmp/polls_outside.%d", (int)getpid());
        snprintf(command, sizeof command, "(sleep 1.3; echo > %s) >/dev/null 2>&1 &", file);
        if (system(command) != 0)
            abort();
    }
}

static bool is_told(enum way way)
{
    static const struct timespec at_once;
    const sigset_t set = alarm_only();
    if (way == TIMER)
        return sigtimedwait(&set, NULL, &at_once) == SIGALRM;
    if (way == CHILD)
        return waitpid(child, NULL, WNOHANG) == child;
    return way == FILE_OF_OTHERS ? access(file, F_OK) == 0 : told;
}

int main(int argc, char **argv)
{
    int rank, provided, flag, value = 0;
    const sigset_t set = alarm_only();
    sigprocmask(SIG_BLOCK, &set, NULL); /* before MPI makes threads */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i <= WAYS; i++) { /* the thread comes last */
        enum way way = i % WAYS;
        if (rank == 0) {
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        begin(way);
        while (!is_told(way))
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* @livelock */
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
        unlink(file);
    MPI_Finalize();
    return 0;
}
