/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of rank 0 receive alike from anyone, ranks 1 and 2 send one message each: which thread calls first depends on time,
 * but isp takes the order of threads, in every run. */
#include <mpi.h>
#include <pthread.h>

static void *take(void *unused)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_join(threads[i], NULL);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
