/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A reduction into the window of rank 0, and a get of rank 2, which knows nothing of it: with the root of a
 * reduction no other rank learns anything (MPI-4.0, sections 6.1 and 12.7). The twin has a barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank < 3)
        MPI_Reduce(&rank, &memory[5], 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* @rma-conflict? */
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    if (rank == 2) {
        int sum;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&sum, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
