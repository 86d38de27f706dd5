/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives before the barrier what rank 0 sends after it: all need all, with any buffering. */
/* Twin: rank 1 receives after the barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, more = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Barrier(MPI_COMM_WORLD); /* @deadlock */
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
