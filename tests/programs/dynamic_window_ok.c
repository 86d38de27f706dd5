/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory is attached to a dynamic window; its neighbour reads and writes it by address, in all kinds of epochs. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, one = 1, memory[2];
    MPI_Aint mine, other;
    MPI_Win win;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    memory[0] = rank;
    memory[1] = 0;
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Get_address(memory, &mine);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Sendrecv(&mine, 1, MPI_AINT, previous, 0, &other, 1, MPI_AINT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, next, other, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    assert(value == next);
    MPI_Win_lock_all(0, win);
    MPI_Rput(&rank, 1, MPI_INT, next, other, 1, MPI_INT, win, &request);
    MPI_Accumulate(&one, 1, MPI_INT, next, MPI_Aint_add(other, sizeof(int)), 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(memory[0] == previous && memory[1] == 1);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
