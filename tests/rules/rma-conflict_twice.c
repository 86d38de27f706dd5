/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank puts twice into one place without a flush between. */
/* Twin: a rank puts twice into one place with a flush between. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, zero = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
#ifdef TWIN
        MPI_Win_flush(0, win);
#endif
        MPI_Put(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
