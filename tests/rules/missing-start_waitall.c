/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Two persistent collectives are waited for together, and neither was ever started. */
/* Twin: both are started first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Comm comm;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier_init(comm, MPI_INFO_NULL, &r[0]);
    MPI_Bcast_init(&x, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &r[1]);
#ifdef TWIN
    MPI_Startall(2, r);
#endif
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* @missing-start */
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
