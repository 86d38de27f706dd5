/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives before the scatter what the root sends after it. */
/* Twin: rank 1 takes its part of the scatter first, then receives. */
#include <mpi.h>
#include <stdlib.h>

static const int counts[] = {1, 0, 2}, displs[] = {2, 0, 0};

int main(int argc, char **argv)
{
    int rank, words[3] = {1, 2, 3}, got[2] = {-1, -1}, more = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Scatterv(words, counts, displs, MPI_INT, got, counts[rank], MPI_INT, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    words[0] = words[1] = 99;
    if (rank == 0)
        MPI_Send(words, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (rank == 0 ? got[0] != 3 : rank == 1 ? more != 99 || got[0] != -1 : got[0] != 1 || got[1] != 2)
        exit(1);
    MPI_Finalize();
    return 0;
}
