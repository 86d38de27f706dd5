/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The target of an access is no rank of the window. */
/* Twin: the target of an access is the other rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int memory = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
#ifdef TWIN
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
#else
    MPI_Put(&rank, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, win); /* @invalid-rank */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
