/* SPDX-License-Identifier: BSD-3-Clause */
/* A counter at rank 0 that all ranks raise under an exclusive lock, one value read by all under shared ones, and accesses with a
 * request. A rank that waits has to help with the accesses to its window. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, one = 1, sum = -1, *memory;
    MPI_Win win;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 1 + (rank == 0); round++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Raccumulate(&one, 1, MPI_INT, (rank + 1) % size, 1, 1, MPI_INT, MPI_SUM, win, &requests[0]);
    MPI_Rget(&sum, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(sum == size + 1);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(memory[1] == 1);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
