/* SPDX-License-Identifier: BSD-3-Clause */
/* A put with a request in an epoch of a fence. */
/* Twin: a put with a request in an epoch of a lock. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_lock_all(0, win);
#else
    MPI_Win_fence(0, win);
#endif
    MPI_Rput(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win, &request); /* @rma-epoch */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_Win_unlock_all(win);
#else
    MPI_Win_fence(0, win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
