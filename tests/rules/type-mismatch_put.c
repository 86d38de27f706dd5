/* SPDX-License-Identifier: BSD-3-Clause */
/* Four MPI_FLOAT are put where MPI_INT are said to be. */
/* Twin: four MPI_INT are put where MPI_INT are said to be. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, numbers[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
#ifdef TWIN
    MPI_Put(numbers, 4, MPI_INT, 1 - rank, 0, 4, MPI_INT, win);
#else
    MPI_Put(numbers, 4, MPI_FLOAT, 1 - rank, 0, 4, MPI_INT, win); /* @type-mismatch */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
