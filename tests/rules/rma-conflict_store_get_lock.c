/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 stores where rank 1 gets, under a shared lock. */
/* Twin: rank 0 stores where rank 1 gets, under an exclusive lock. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    volatile int place[2] = {0};
    int value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
#ifdef TWIN
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
#else
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#endif
        place[0] = 5;
        MPI_Win_unlock(0, win);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
