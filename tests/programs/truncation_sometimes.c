/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 sends more than the first receive has room for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation? */
        MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(x, rank, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @truncation? */
    }
    MPI_Finalize();
    return 0;
}
