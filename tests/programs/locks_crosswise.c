/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks lock the windows of both, each the other's first. */
/* Twin: two ranks lock the windows of both, both in the same order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Win_unlock(1, win);
    MPI_Win_unlock(0, win);
#else
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win); /* @deadlock */
    MPI_Win_unlock(rank, win);
    MPI_Win_unlock(1 - rank, win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
