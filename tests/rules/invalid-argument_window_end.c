/* SPDX-License-Identifier: BSD-3-Clause */
/* The get reaches beyond the end of the window. */
/* Twin: the get reaches to the end of the window. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, numbers[3];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
#ifdef TWIN
    MPI_Get(numbers, 3, MPI_INT, 1 - rank, 1, 3, MPI_INT, win);
#else
    MPI_Get(numbers, 3, MPI_INT, 1 - rank, 2, 3, MPI_INT, win); /* @invalid-argument */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
