/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 gets what rank 1 puts, without a fence between. */
/* Twin: rank 2 gets what rank 1 puts before a fence between. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 2)
        MPI_Get(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @rma-conflict */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
