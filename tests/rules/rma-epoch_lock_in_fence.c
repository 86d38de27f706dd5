/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock in the epoch of a fence, where an access was made. */
/* Twin: a lock in an epoch of its own, behind a fence that none precedes or follows. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win); /* @rma-epoch */
    MPI_Accumulate(&rank, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
