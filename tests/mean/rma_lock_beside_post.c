/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 0 exposes its window to rank 1 by post and wait, and rank 2 locks it: nothing says that it does so
 * behind the wait (MPI-4.0, section 12.5.3). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Group all, one;
    int zero = 0, first = 1;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, rank == 0 ? &first : &zero, &one);
    if (rank == 0) {
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);
    } else if (rank == 1) {
        MPI_Win_start(one, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* @rma-epoch? */
        MPI_Win_complete(win);
    }
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @rma-epoch */
        MPI_Win_unlock(0, win);
    }
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
