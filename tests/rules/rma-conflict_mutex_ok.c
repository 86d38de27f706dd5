/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A lock made of MPI_Compare_and_swap guards a counter that is read with MPI_Get and written with MPI_Put. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, zero = 0, one = 1, was, counter, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    do {
        MPI_Compare_and_swap(&one, &zero, &was, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    } while (was);
    MPI_Get(&counter, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    counter++;
    MPI_Put(&counter, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(rank != 0 || memory[1] == size);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
