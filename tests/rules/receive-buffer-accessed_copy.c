/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 copies what it is to receive, after a barrier but before MPI_Wait. */
/* Twin: rank 1 copies what it has received. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, other[200];
    static int data[200];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Irecv(data, 200, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Isend(data, 200, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    if (rank == 1)
        memcpy(other, data, sizeof other); /* @receive-buffer-accessed */
#ifndef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return rank == 1 && other[7] != 0;
}
