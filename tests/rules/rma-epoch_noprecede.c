/* SPDX-License-Identifier: BSD-3-Clause */
/* The second fence says that nothing is to be completed, but a put is. */
/* Twin: the second fence says that there may be something to be completed. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
#ifdef TWIN
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
#else
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); /* @rma-epoch */
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
