/* SPDX-License-Identifier: BSD-3-Clause */
/* Root of a broadcast to the other group: rank 0. Rank 2 receives before it what rank 0 sends after it. */
/* Twin: rank 2 receives after the broadcast of the other group. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, side, word, more = -1;
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    side = rank >= 2;
    word = rank + 1;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : 2, 0, &both);
#ifndef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
#endif
    MPI_Bcast(&word, 1, MPI_INT, side ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, both); /* @unsafe-buffering */
    if (word != (side ? 1 : rank + 1))
        exit(1);
    word = 99;
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 0, 0, both);
#ifdef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
