/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are numbered anew in their half: there, rank / 2 is the rank itself, and waits for its own message. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Recv(&x, 1, MPI_INT, rank / 2, 0, half, MPI_STATUS_IGNORE); /* @deadlock */
    MPI_Send(&x, 1, MPI_INT, rank / 2, 0, half);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
