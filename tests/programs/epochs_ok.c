/* SPDX-License-Identifier: BSD-3-Clause */
/* Post, start, complete and wait around a ring, twice, and MPI_Win_test in the second round. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, done, *memory;
    MPI_Win win;
    MPI_Group world, from, to;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Group_incl(world, 1, &previous, &from);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int round = 0; round < 2; round++) {
        int value = 10 * round + rank;
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        if (round == 0 || rank > 0)
            MPI_Win_wait(win);
        else
            do
                MPI_Win_test(win, &done);
            while (!done);
        assert(*memory == 10 * round + previous);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
