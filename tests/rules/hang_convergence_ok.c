/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=3 */
/* A loop that converges, between two calls of MPI. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    volatile double x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        while (x > 1e-9) x = x / 2 + 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
