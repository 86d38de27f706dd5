/* SPDX-License-Identifier: BSD-3-Clause */
/* The value that is put is changed before the fence that completes the put. */
/* Twin: the value that is put is changed behind the fence that completes the put. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    volatile int value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    value = rank;
    MPI_Win_fence(0, win);
    MPI_Put((void *)&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    value = 7; /* @rma-conflict */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
