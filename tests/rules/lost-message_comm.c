/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Sent on one communicator, received on none. */
/* Twin: sent on one communicator, received there. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm comm;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, comm, &request); /* @lost-message */
        MPI_Request_free(&request);
    }
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
