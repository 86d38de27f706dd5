/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --memory=watch */
/* A load of the third element of a window while rank 1 puts there (MPI-4.0, section 12.7). --memory=watch
 * must not see less than the default. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @rma-conflict */
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 0)
        value = ((volatile int *)memory)[2]; /* @rma-conflict? */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return value < 0;
}
