/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank updates a place as an int and as a float. Its accumulates are in order element by element of one
 * datatype only (MPI-4.0, section 12.7.2). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int one = 1;
    float half = 0.5f;
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win); /* @rma-conflict? */
#ifdef TWIN
        MPI_Accumulate(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_MAX, win);
        MPI_Accumulate(&half, 1, MPI_FLOAT, 0, 4, 1, MPI_FLOAT, MPI_SUM, win);
#else
        MPI_Accumulate(&half, 1, MPI_FLOAT, 0, 3, 1, MPI_FLOAT, MPI_SUM, win); /* @rma-conflict */
#endif
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
