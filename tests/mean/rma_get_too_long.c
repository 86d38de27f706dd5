/* SPDX-License-Identifier: BSD-3-Clause */
/* A get of ten elements into a buffer of five: the data must fit there (MPI-4.0, section 12.3.2). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int values[10];
    MPI_Win_fence(0, win);
    if (rank == 0)
#ifdef TWIN
        MPI_Get(values, 10, MPI_INT, 1, 0, 5, MPI_INT, win);
#else
        MPI_Get(values, 5, MPI_INT, 1, 0, 10, MPI_INT, win); /* @truncation */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
