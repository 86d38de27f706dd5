/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 promises that nobody puts into its window, and rank 2 does. */
/* isp -n 3 */
/* Twin: rank 0 promises that nobody puts into its window, and nobody does. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPUT : 0, win);
#else
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT : 0, win);
#endif
    if (rank == 2)
        MPI_Accumulate(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* @rma-epoch */
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
