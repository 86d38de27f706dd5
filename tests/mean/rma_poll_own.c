/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 polls its own window by loads, with MPI_Win_sync in the loop, until the put of rank 1 is there: in
 * the unified model it is seen without any call, and the load is not in conflict with it (MPI-4.0, sections
 * 12.4 and 12.7). The wrong form puts to the flag twice, without a flush between. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    volatile int *own = memory;
    int value = 42, one = 1;
    own[0] = own[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        while (own[0] == 0)
            MPI_Win_sync(win);
    } else {
#ifdef TWIN
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
#else
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
#endif
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
