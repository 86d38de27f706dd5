/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The communicator of MPI_Comm_idup is never waited for, so nobody may use it, or free it. */
/* Twin: it is waited for, and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &r); /* @missing-wait @leak-communicator? */
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
#endif
    MPI_Finalize();
    return 0;
}
