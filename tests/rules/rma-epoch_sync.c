/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_sync without a lock. */
/* Twin: MPI_Win_sync with a lock. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Win_sync(win);
    MPI_Win_unlock(rank, win);
#else
    MPI_Win_sync(win); /* @rma-epoch */
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
