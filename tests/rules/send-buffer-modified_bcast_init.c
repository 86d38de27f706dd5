/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of a started persistent broadcast is written. */
/* Twin: the buffer of a persistent broadcast is written when the round is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast_init(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request); /* @send-buffer-modified? */
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) x = 2;
#else
    if (rank == 0) x = 2; /* @send-buffer-modified? */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Request_free(&request);
    MPI_Finalize();
}
