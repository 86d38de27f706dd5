/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* One place is written by each rank in turn; each step is ordered by another kind of MPI's synchronization. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank;
static MPI_Win win;

static void put(int who)
{
    if (rank != who)
        return;
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    int one = 1, sum, value = -1, *memory;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    put(0);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    put(1);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    put(2);
    if (rank == 2) { /* to 3 by way of 1, which knows nothing of it */
        MPI_Isend(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 3) {
        MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    put(3);
    if (rank == 3)
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Gather(&one, 1, MPI_INT, rank == 0 ? (int[4]){0} : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
    put(0);
    if (rank == 0)
        MPI_Ssend(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    put(1);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    assert(rank != 0 || *memory == 1);
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    assert(value == 1);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
