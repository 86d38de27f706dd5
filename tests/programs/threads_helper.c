/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for the answer of rank 0's helper thread before it asks: both threads of rank 0 wait for rank 1. */
/* Twin: the helper thread of rank 0 answers while its main thread waits: no order of theirs can block. */
#include <mpi.h>
#include <pthread.h>

static void *answer(void *unused)
{
    int n = 0;
    MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
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
        MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        pthread_join(thread, NULL);
    } else {
#ifdef TWIN
        MPI_Ssend(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        MPI_Ssend(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
