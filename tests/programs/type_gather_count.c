/* SPDX-License-Identifier: BSD-3-Clause */
/* The root expects less of each rank than they give. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int mine[2] = {1, 2}, all[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(mine, 2, MPI_INT, all, rank == 0 ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD); /* @type-mismatch */
    MPI_Finalize();
    return 0;
}
