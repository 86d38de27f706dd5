/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* A persistent request is freed, and started by a copy of its handle. */
/* Twin: it is freed when it is not needed any more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x;
    MPI_Request r, copy;

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    copy = r;
#ifndef TWIN
    MPI_Request_free(&r);
#endif
    MPI_Startall(1, &copy); /* @request-reuse */
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_Request_free(&r);
#endif
    MPI_Finalize();
    return 0;
}
