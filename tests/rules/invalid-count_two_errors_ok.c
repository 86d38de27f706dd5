/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --on-error=continue */
/* Both calls are right. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;

    MPI_Init(&argc, &argv);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
