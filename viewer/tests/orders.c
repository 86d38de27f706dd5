/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes one message of each worker in any order: 24 interleavings with 5 ranks. If worker 4 comes first and worker 3 second, it then waits for a message that nobody sends. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, first = 0, second = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            int from;
            MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            first = i == 1 ? from : first;
            second = i == 2 ? from : second;
        }
        if (first == 4 && second == 3)
            MPI_Recv(&first, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("worker %d came first\n", first);
    MPI_Finalize();
    return 0;
}
