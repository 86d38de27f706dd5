/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Nonblocking, in a communicator of its own: a sum and a product. */
/* Twin: nonblocking, in a communicator of its own: sums. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double x[2] = {1, 2}, y[2];
    MPI_Comm comm;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0)
        MPI_Ireduce(x, y, 2, MPI_DOUBLE, MPI_SUM, 0, comm, &request); /* @collective-op-mismatch? */
    else
#ifdef TWIN
        MPI_Ireduce(x, y, 2, MPI_DOUBLE, MPI_SUM, 0, comm, &request);
#else
        MPI_Ireduce(x, y, 2, MPI_DOUBLE, MPI_PROD, 0, comm, &request); /* @collective-op-mismatch? */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
