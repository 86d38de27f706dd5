/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Rank 1 polls a flag under a lock; rank 0 sets it when it has a message from anybody. The run must come to an end though the poll never
 * waits (MPI-4.0, 12.7.3: progress). Whose message it is decides whether the flag is set to 1 or 2.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, flag = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1)
        do {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Get(&flag, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_unlock(0, win);
        } while (!flag);
    if (rank == 0) {
        int first, second;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&first, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
#ifndef TWIN
    assert(rank != 1 || flag == 1); /* @assertion */
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
