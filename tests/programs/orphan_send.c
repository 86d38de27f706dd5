/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that nobody receives, by Send. It blocks if MPI does not buffer, but that is not what is wrong. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @lost-message */
    }
    MPI_Finalize();
    return 0;
}
