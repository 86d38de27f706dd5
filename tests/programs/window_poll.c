/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 polls its window for what rank 1 never writes. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, value = 0, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    while (rank == 0 && !value) {
        MPI_Fetch_and_op(NULL, &value, MPI_INT, 0, 0, MPI_NO_OP, win); /* @livelock? */
        MPI_Win_flush(0, win); /* @livelock? */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
