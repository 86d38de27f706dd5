/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 names another root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD); /* @collective-root-mismatch */
    } else {
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
