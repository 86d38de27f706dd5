/* SPDX-License-Identifier: BSD-3-Clause */
/* The origin buffer of a put lies in the window of rank 0, where rank 1 puts in the same epoch: what is
 * sent is undefined (MPI-4.0, section 12.7: the origin buffer is read by the owner of that window). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&memory[0], 4, MPI_INT, 1, 8, 4, MPI_INT, win); /* @rma-conflict? */
    else
#ifdef TWIN
        MPI_Put(&rank, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
#else
        MPI_Put(&rank, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* @rma-conflict */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
