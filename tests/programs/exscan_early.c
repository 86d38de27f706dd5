/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 receives before the scan what rank 1, which needs rank 0 only, sends after it. */
/* Twin: rank 2 receives after the scan. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sum, more = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum = rank + 1;
#ifndef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Exscan(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* @unsafe-buffering */
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (rank > 0 && sum != rank * (rank + 1) / 2)
        exit(1);
    MPI_Finalize();
    return 0;
}
