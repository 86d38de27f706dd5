/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 unlocks rank 1, as it has locked rank 0. */
/* Twin: rank 0 unlocks rank 0, as it has locked rank 0. */
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
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
#ifdef TWIN
        MPI_Win_unlock(0, win);
#else
        MPI_Win_unlock(1, win); /* @rma-epoch */
#endif
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
