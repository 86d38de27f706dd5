/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* It is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
