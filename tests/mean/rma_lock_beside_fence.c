/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 accesses rank 0 between two fences, and rank 2 by a lock: the window of rank 0 is exposed and
 * locked at once (MPI-4.0, section 12.5.3). That the bytes are different ones does not help. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* @rma-epoch? */
#ifdef TWIN
    MPI_Win_fence(0, win);
#endif
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @rma-epoch */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
