/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 writes to nowhere. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *volatile nowhere = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        *nowhere = 1; /* @crash */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
