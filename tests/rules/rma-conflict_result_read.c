/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI_Fetch_and_op brings is used before the unlock. */
/* Twin: what MPI_Fetch_and_op brings is used behind the unlock. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    volatile int value, sum = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&rank, (void *)&value, MPI_INT, 0, 0, MPI_SUM, win);
#ifdef TWIN
    MPI_Win_unlock(0, win);
    sum = value + 1;
#else
    sum = value + 1; /* @rma-conflict */
    MPI_Win_unlock(0, win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
