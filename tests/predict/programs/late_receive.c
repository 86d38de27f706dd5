/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes one message with tag 1 from the last worker or the one before it, then all others in any order,
 * and then wants the last worker's: 2 * (n - 3)! orders, and half of them end in a deadlock that depth first
 * comes to last. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < size - 3; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, rank < size - 2 ? 2 : 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
