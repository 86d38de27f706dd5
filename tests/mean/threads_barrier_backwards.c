/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier of the threads puts two messages in order, the one of the thread with the higher number first; nothing waits in MPI between
 * them. Without it any order is possible (MPI-4.0, 3.5). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t both;

static void *first(void *unused)
{
    int number = 1;
    MPI_Request request;
    MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
    pthread_barrier_wait(&both);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, number = 2;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&thread, NULL, first, NULL);
#ifdef TWIN
        pthread_barrier_wait(&both);
#endif
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(number == 1); /* @assertion */
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
