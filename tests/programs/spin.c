/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 computes for ever; rank 0 waits for it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    volatile unsigned long again = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        for (;;)
            again++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
