/* SPDX-License-Identifier: BSD-3-Clause */
/* Send meets Send: works only if MPI buffers. */
/* Twin: one Send meets a Recv. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
#else
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
