/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a large message is freed while it is being sent. */
/* Twin: the memory of a large message is freed when it has been sent. */
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char *data = calloc(1000000, 1);
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(data, 1000000, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request); /* @send-buffer-modified? */
        MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(data);
#else
        free(data);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(data, 1000000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        free(data);
    }
    MPI_Finalize();
}
