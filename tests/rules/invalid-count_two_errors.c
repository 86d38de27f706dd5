/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --on-error=continue */
/* Two wrong calls; the run goes on after the first. */
/* Twin: both calls are right. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;

    MPI_Init(&argc, &argv);
#ifdef TWIN
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Send(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD); /* @invalid-rank */
    MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD); /* @invalid-count */
#endif
    MPI_Finalize();
    return 0;
}
