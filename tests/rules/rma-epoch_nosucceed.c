/* SPDX-License-Identifier: BSD-3-Clause */
/* The fence says that no access follow it, and a get does. */
/* Twin: the fence says that accesses may follow it. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_fence(0, win);
#else
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
#endif
    MPI_Get(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win); /* @rma-epoch */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
