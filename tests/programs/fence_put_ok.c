/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank writes into each window between two fences, in both orders of a wildcard before it. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, first = 0, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate((MPI_Aint)(size + 1) * 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i <= size; i++)
        memory[i] = 0;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_fence(0, win);
    for (int to = 0; to < size; to++) {
        MPI_Put(&rank, 1, MPI_INT, to, rank, 1, MPI_INT, win);
        MPI_Accumulate(&rank, 1, MPI_INT, to, size, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < size; i++)
        assert(memory[i] == i);
    assert(memory[size] == size * (size - 1) / 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
