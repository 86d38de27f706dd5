/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks run backwards in the new communicator, but are used as if they were those of the world. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm reversed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, reversed, MPI_STATUS_IGNORE); /* @deadlock */
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, reversed);
    }
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
