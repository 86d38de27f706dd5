/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock right behind a fence is right; but then a put in the epoch of that fence makes it one epoch, with
 * the lock inside (MPI-4.0, section 12.5: epochs of one window are disjoint). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* @rma-epoch */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
