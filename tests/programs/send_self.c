/* SPDX-License-Identifier: BSD-3-Clause */
/* Send to oneself before the receive: works only if MPI buffers. */
/* Twin: the receive is posted first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0, y = 0;
#ifdef TWIN
    MPI_Request r;
#endif

    MPI_Init(&argc, &argv);
#ifdef TWIN
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#else
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
