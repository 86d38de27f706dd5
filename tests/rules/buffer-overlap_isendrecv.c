/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Isendrecv receives into what it sends. */
/* Twin: MPI_Isendrecv_replace may do so. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Isendrecv_replace(&x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, &request);
#else
    MPI_Isendrecv(&x, 1, MPI_INT, 1 - rank, 0, &x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request); /* @buffer-overlap */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
