/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 finalizes while rank 0 waits in a barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* @deadlock */
    MPI_Finalize();
    return 0;
}
