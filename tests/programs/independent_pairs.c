/* SPDX-License-Identifier: BSD-3-Clause */
/* Triples of ranks, two senders and a receiver each, that have nothing to do with each other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int receiver = rank / 3 * 3;
    if (rank == receiver) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, receiver, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
