/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 gathers while the others scatter. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, data[3] = {1, 2, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Scatter(data, 1, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Scatter(data, 1, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(&x, 1, MPI_INT, data, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @collective-mismatch */
    }
    MPI_Finalize();
    return 0;
}
