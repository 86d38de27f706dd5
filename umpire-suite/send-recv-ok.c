/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten messages in each direction, in turn. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 10; k++) {
        if (rank == k % 2)
            MPI_Send(&x, 1, MPI_INT, 1 - rank, k, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_INT, 1 - rank, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
