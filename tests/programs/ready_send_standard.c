/* SPDX-License-Identifier: BSD-3-Clause */
/* A standard send need not wait for its receive: it does not say that the other one is posted. */
/* Twin: a synchronous send is complete when its receive has begun, so the receive before that is posted. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, token = 2;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Ssend(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
#else
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
#endif
        MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @ready-send */
    } else {
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
        MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
