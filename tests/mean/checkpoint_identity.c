/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* A process is the same as long as it lives (POSIX, getpid; the owner of an errorcheck or a robust mutex):
 * only that it took the message of rank 3 first is wrong. */
/* interleavings 6, twin 6 */
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t heard;
static int forks;
static void hear(int number) { heard += number == SIGUSR1; }
static void see_fork(void) { forks++; }

int main(int argc, char **argv)
{
    int rank, first = 0, value;
    pthread_mutexattr_t kind;
    pthread_mutex_t checked, robust;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pid_t pid = getpid(), parent = getppid(), thread = gettid();
    signal(SIGUSR1, hear);
    pthread_atfork(see_fork, see_fork, see_fork);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &kind);
    assert(pthread_mutex_lock(&checked) == 0 && pthread_mutex_lock(&robust) == 0);
    for (clock_t begin = clock(); clock() < begin + CLOCKS_PER_SEC / 100;)
        ;
    clock_t used = clock();
    for (int i = 0; i < 3 && rank == 0; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        first = first ? first : value;
        assert(getpid() == pid && getppid() == parent && gettid() == thread && syscall(SYS_getpid) == pid &&
               forks == 0);
        assert(kill(pid, SIGUSR1) == 0 && heard == i + 1 && raise(SIGUSR1) == 0 && heard-- == i + 2 &&
               clock() >= used);
    }
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    assert(pthread_mutex_lock(&checked) == EDEADLK && pthread_mutex_unlock(&checked) == 0);
    assert(pthread_mutex_unlock(&robust) == 0 && pthread_mutex_lock(&robust) == 0 &&
           pthread_mutex_unlock(&robust) == 0);
#ifndef TWIN
    assert(first != 3); /* @assertion */
#endif
    MPI_Finalize();
    return 0;
}
