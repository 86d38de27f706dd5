/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 adds, rank 2 puts, and both flush. */
/* Twin: rank 1 adds, rank 2 adds, and both flush. */
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
    if (rank == 1) {
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else if (rank == 2) {
#ifdef TWIN
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
#else
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
#endif
        MPI_Win_flush_all(win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
