/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 loads what rank 1 puts, without a lock of its own. */
/* Twin: rank 0 loads what rank 1 puts, under a lock of its own. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    volatile int value = 0, place[2] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
#ifdef TWIN
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        value = place[0];
        MPI_Win_unlock(0, win);
#else
        value = place[0];
#endif
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
