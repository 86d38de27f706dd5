/* SPDX-License-Identifier: BSD-3-Clause */
/* Deterministic: two reductions to a root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&rank, &x, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&x, &y, 1, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
