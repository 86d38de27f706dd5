/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A request that is complete is cancelled. */
/* Twin: a request that is pending is cancelled. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Cancel(&request); /* @invalid-request */
#endif
    MPI_Finalize();
    return 0;
}
