/* SPDX-License-Identifier: BSD-3-Clause */
/* The data has arrived when rank 0 writes over it, but it has not asked for it. */
/* Twin: rank 0 asks whether the data has arrived, and then writes over it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {1, 2, 3, 4};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[0] = 9;
#else
        data[0] = 9; /* @receive-buffer-accessed */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
