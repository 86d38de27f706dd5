/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads are in MPI at once, at MPI_THREAD_SERIALIZED: the main thread waits for a message while the other one sends. */
/* Twin: two threads are in MPI at once, as they may at MPI_THREAD_MULTIPLE: the main thread waits for a
 * message while the other one sends. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static int started;

static void *send_one(void *unused)
{
    int n = 0;
    while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE))
        usleep(1000);
    usleep(200000);
    MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @thread-level */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t thread;
#ifdef TWIN
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, send_one, NULL);
        __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
        MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
