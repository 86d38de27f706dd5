/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A persistent request is started. */
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
    MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, comm, &request);
    MPI_Start(&request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
