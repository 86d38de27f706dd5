/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 locks rank 1 twice. */
/* Twin: rank 0 locks rank 1 twice, one after the other. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
#ifdef TWIN
        MPI_Win_unlock(1, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
#else
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* @rma-epoch */
        MPI_Win_unlock(1, win);
#endif
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
