/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank locks its own part of a window and never gives it back: each MPI_Win_lock needs an MPI_Win_unlock
 * (MPI-4.0, 12.5.3), and MPI_Finalize all windows freed (11.2.2). That is told where the lock is, and is no
 * hang in MPI_Finalize.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window); /* @leak-window */
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window); /* @rma-epoch */
#ifdef TWIN
    if (rank == 0)
        MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
#endif
    MPI_Finalize();
    return 0;
}
