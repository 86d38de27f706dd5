/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 loads from its window before the fence that ends the put. */
/* Twin: rank 0 loads from its window behind the fence that ends the put. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    volatile int value = 0, place[2] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 0)
        value = place[0];
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
