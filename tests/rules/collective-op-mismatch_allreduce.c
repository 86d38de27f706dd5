/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 looks for the smallest, the others for the largest. */
/* Twin: all ranks look for the largest. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, y;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x = rank;
#ifdef TWIN
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#else
    MPI_Allreduce(&x, &y, 1, MPI_INT, rank == 1 ? MPI_MIN : MPI_MAX, MPI_COMM_WORLD); /* @collective-op-mismatch */
#endif
    MPI_Finalize();
    return 0;
}
