/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A nonblocking collective on a communicator of its own is cancelled. */
/* Twin: it is completed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 1;
    MPI_Comm comm;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Ibcast(&x, 1, MPI_INT, 0, comm, &r);
#ifndef TWIN
    MPI_Cancel(&r); /* @invalid-request */
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
