/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 never calls the barrier that the others wait for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE); /* @deadlock */
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&word, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
