/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 polls its window until rank 1 has written there; rank 1 first takes a message from any source, which isp decides when
 * all ranks wait: the one that polls counts as waiting. Its own message leaves it before, too. */
#include <mpi.h>
#include <stddef.h>

static void await(int how, int *memory, MPI_Win win)
{
    int value = 0;
    do {
        if (how == 0) {
            MPI_Fetch_and_op(NULL, &value, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } else if (how == 1) {
            MPI_Win_sync(win);
            value = *(volatile int *)memory;
        } else {
            MPI_Get_accumulate(NULL, 0, MPI_INT, &value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
            MPI_Win_flush_all(win);
        }
    } while (value <= how);
}

int main(int argc, char **argv)
{
    int rank, one = 1, value, *memory;
    MPI_Win win;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int how = 0; how < 3; how++) {
        if (rank == 1) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, how, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(0, win);
            continue;
        }
        if (rank == 0 && how == 2)
            MPI_Isend(&one, 1, MPI_INT, 1, how, MPI_COMM_WORLD, &request);
        if (rank == 0)
            await(how, memory, win);
        if (rank == 0 && how == 2)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 2 && how < 2)
            MPI_Send(&one, 1, MPI_INT, 1, how, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
