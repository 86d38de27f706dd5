/* SPDX-License-Identifier: BSD-3-Clause */
/* The word that the receive is posted is sent before it is. */
/* Twin: the word that the receive is posted is sent after it is. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, token = 2;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* @ready-send */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
#ifdef TWIN
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
        MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#else
        MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
#endif
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
