/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 writes into a buffer that is still being sent. */
/* Twin: rank 0 writes into a buffer when it has been sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {1, 2, 3, 4};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[1] = 7;
#else
        data[1] = 7; /* @send-buffer-modified */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
