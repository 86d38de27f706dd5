/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 frees the window and still holds a lock. */
/* Twin: rank 1 frees the window when it holds no lock. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef TWIN
    MPI_Win_unlock(0, win);
#else
    if (rank == 0)
        MPI_Win_unlock(0, win);
#endif
    MPI_Win_free(&win); /* @rma-epoch */
    MPI_Finalize();
    return 0;
}
