/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks wait for their configuration; the one that has it waits for them to be ready. */
/* Twin: ranks say that they are ready first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, ready = 0, config = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&ready, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
        MPI_Recv(&ready, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&config, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&config, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
#ifdef TWIN
        MPI_Send(&ready, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&config, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&config, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&ready, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
