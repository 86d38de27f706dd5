/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 stores into its window behind the fence that begins the epoch of the get. */
/* Twin: rank 0 stores into its window before the fence that begins the epoch of the get. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    volatile int place[2] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#ifndef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 0)
        place[1] = 7;
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 1)
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* @rma-conflict */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
