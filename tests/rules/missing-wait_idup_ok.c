/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* It is waited for, and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
