/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is locked while all are. */
/* Twin: a rank is locked while all are no more. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
#ifdef TWIN
    MPI_Win_unlock_all(win);
#endif
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); /* @rma-epoch */
    MPI_Win_unlock(rank, win);
#ifndef TWIN
    MPI_Win_unlock_all(win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
