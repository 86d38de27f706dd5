/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 takes the broadcast integers for floating-point numbers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int i[4] = {1, 2, 3, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Bcast(i, 4, MPI_FLOAT, 0, MPI_COMM_WORLD); /* @type-mismatch */
    else
        MPI_Bcast(i, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
