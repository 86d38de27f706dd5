/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that wait for others without a lock. On rank 0 the main thread spins until its helper has a message from anyone, and
 * takes the other one itself; meanwhile a third thread wakes up every millisecond until all is over. Two orders. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int got, over;

static void *help(void *unused)
{
    int n = 0;
    MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got = 1;
    return unused;
}

static void *watch(void *unused)
{
    while (!over)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t helper, watcher;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&watcher, NULL, watch, NULL);
        pthread_create(&helper, NULL, help, NULL);
        while (!got)
            ;
        MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        over = 1;
        pthread_join(helper, NULL);
        pthread_join(watcher, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
