/* SPDX-License-Identifier: BSD-3-Clause */
/* The root waits for what rank 1 sends after the broadcast: no buffering can help. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
