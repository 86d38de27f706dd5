/* SPDX-License-Identifier: BSD-3-Clause */
/* The second start of a persistent send is under way when its buffer is cleared. */
/* Twin: the buffer of a persistent send is cleared between its completion and its next start. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, data[3] = {1, 2, 3};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send_init(data, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef TWIN
    MPI_Start(&request);
#endif
    if (rank == 0)
        memset(data, 0, sizeof data); /* @send-buffer-modified */
#ifdef TWIN
    MPI_Start(&request);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
}
