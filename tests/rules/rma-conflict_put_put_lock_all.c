/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Each rank puts into the same place of rank 0, and flushes. */
/* Twin: each rank puts into the same place of rank 0, one after the other, and flushes. */
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
    for (int turn = 0; turn < 3; turn++) {
        if (turn == rank) {
            MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
            MPI_Win_flush(0, win);
        }
#ifdef TWIN
        MPI_Barrier(MPI_COMM_WORLD);
#endif
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
