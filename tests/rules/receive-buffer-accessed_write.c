/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 writes into the buffer of a receive that is not complete. */
/* Twin: rank 1 writes into the buffer of a receive that is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {1, 2, 3, 4};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[3] = 9;
#else
        data[3] = 9; /* @receive-buffer-accessed */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
}
