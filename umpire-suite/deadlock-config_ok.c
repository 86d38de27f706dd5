/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks say that they are ready first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, ready = 0, config = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&ready, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&ready, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&config, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&config, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&ready, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&config, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
