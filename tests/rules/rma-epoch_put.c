/* SPDX-License-Identifier: BSD-3-Clause */
/* No fence opens an epoch for the put. */
/* Twin: a fence opens the epoch of the put. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* @rma-epoch */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
