/* SPDX-License-Identifier: BSD-3-Clause */
/* A partition is written after MPI_Pready. */
/* Twin: a partition is written before MPI_Pready. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(x, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        x[0] = 1;
#ifdef TWIN
        x[0] = 3;
        MPI_Pready(0, request);
#else
        MPI_Pready(0, request);
        x[0] = 3; /* @send-buffer-modified */
#endif
        x[1] = 2;
        MPI_Pready(1, request);
    } else {
        MPI_Precv_init(x, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
}
