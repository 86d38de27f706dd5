/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A request that is not persistent is started. */
/* Twin: a persistent request is started. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#ifdef TWIN
    MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, comm, &request);
#else
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, comm, &request);
#endif
    MPI_Start(&request); /* @invalid-request */
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_Request_free(&request);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
