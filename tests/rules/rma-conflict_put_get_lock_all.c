/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A put is flushed locally before the barrier that the get comes behind. */
/* Twin: a put is flushed before the barrier that the get comes behind. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
#ifdef TWIN
        MPI_Win_flush(0, win);
#else
        MPI_Win_flush_local(0, win);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
