/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 gets into its own window what rank 1 has; rank 1 reads those bytes of rank 0 meanwhile. Both are
 * complete only when the locks are given up (MPI-4.0, section 12.7). The locks are of different ranks and
 * exclude nobody. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&memory[2], 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Win_unlock(1, win);
    } else {
        int value[2];
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef TWIN
        MPI_Get(value, 2, MPI_INT, 0, 4, 2, MPI_INT, win);
#else
        MPI_Get(value, 2, MPI_INT, 0, 2, 2, MPI_INT, win); /* @rma-conflict */
#endif
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
