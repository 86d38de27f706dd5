/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives before the gather what rank 1 sends after it: a leaf must not have to wait for the root. */
/* Twin: the root gathers first, then receives. */
#include <mpi.h>
#include <stdlib.h>

static const int counts[] = {0, 2, 1}, displs[] = {0, 1, 0};

int main(int argc, char **argv)
{
    int rank, word[2], got[3] = {-1, -1, -1}, more = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word[0] = rank, word[1] = 10 * rank;
#ifndef TWIN
    if (rank == 0)
        MPI_Recv(&more, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Gatherv(word, counts[rank], MPI_INT, got, counts, displs, MPI_INT, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    word[0] = 99;
    if (rank == 1)
        MPI_Send(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 0)
        MPI_Recv(&more, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (rank == 0 && (more != 99 || got[0] != 2 || got[1] != 1 || got[2] != 10))
        exit(1);
    MPI_Finalize();
    return 0;
}
