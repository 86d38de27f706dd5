/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives before the exchange what rank 0 sends after it: rank 0 needs rank 1's part, with any buffering. */
/* Twin: rank 1 receives after the exchange. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, all[3], more = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        all[i] = 10 * rank + i;
#ifndef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); /* @deadlock */
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    for (int i = 0; i < 3; i++)
        if (all[i] != 10 * i + rank)
            exit(1);
    MPI_Finalize();
    return 0;
}
