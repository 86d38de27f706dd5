/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives before the reductions what rank 0 sends after them: every rank needs all, with any buffering. */
/* Twin: rank 1 receives after the reductions. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sum, all[3], more = -1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* @deadlock */
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (sum != 3 || all[2] != 2)
        exit(1);
    MPI_Finalize();
    return 0;
}
