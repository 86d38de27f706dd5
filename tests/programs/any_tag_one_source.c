/* SPDX-License-Identifier: BSD-3-Clause */
/* Any tag from one rank: the messages come in the order in which they were sent. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        assert(status.MPI_TAG == 5);
        MPI_Recv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        assert(status.MPI_TAG == 3);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
