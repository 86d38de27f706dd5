/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=3 */
/* A loop that never converges, between two calls of MPI. */
/* Twin: a loop that converges, between two calls of MPI. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    volatile double x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
#ifdef TWIN
        while (x > 1e-9) x = x / 2 + 0;
#else
        while (x > 0) x = x / 2 + 1; /* @hang */
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
