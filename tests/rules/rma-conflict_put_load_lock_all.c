/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 loads what rank 1 puts and flushes, before the barrier. */
/* Twin: rank 0 loads what rank 1 puts and flushes, behind the barrier. */
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
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_flush(0, win);
    }
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    if (rank == 0)
        value = place[0];
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
