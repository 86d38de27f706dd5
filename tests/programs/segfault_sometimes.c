/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 writes to nowhere if rank 2 came first. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, x = 0, *volatile nowhere = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x == 2)
            *nowhere = 1; /* @crash */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
