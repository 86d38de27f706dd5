/* SPDX-License-Identifier: BSD-3-Clause */
/* The helper thread of rank 0 answers while its main thread waits: no order of theirs can block. */
#include <mpi.h>
#include <pthread.h>

static void *answer(void *unused)
{
    int n = 0;
    MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, answer, NULL);
        MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Ssend(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
