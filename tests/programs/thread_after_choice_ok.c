/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 has a second thread only between its first choice and its last: then it cannot be kept as a checkpoint. */
#include <mpi.h>
#include <pthread.h>

static void *wait_for_other(void *barrier)
{
    pthread_barrier_wait(barrier);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, value;
    pthread_t thread;
    pthread_barrier_t barrier;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (pthread_barrier_init(&barrier, NULL, 2) != 0 || pthread_create(&thread, NULL, wait_for_other, &barrier) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_barrier_wait(&barrier);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
