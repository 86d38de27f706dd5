/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Win_lock_all without MPI_Win_unlock_all (MPI-4.0, 12.5.3) in one rank of two, with an access that is not
 * complete. It is told where the epoch is opened, and does not keep MPI_Finalize from ending.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window); /* @leak-window */
    if (rank == 1) {
        MPI_Win_lock_all(0, window); /* @rma-epoch */
        MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
    }
#ifdef TWIN
    if (rank == 1)
        MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
#endif
    MPI_Finalize();
    return 0;
}
