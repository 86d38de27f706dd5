/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --on-error=continue */
/* Two wrong calls; the run goes on after the first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;

    MPI_Init(&argc, &argv);
    MPI_Send(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD); /* @invalid-rank */
    MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD); /* @invalid-count */
    MPI_Finalize();
    return 0;
}
