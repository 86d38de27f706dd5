/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Ranks 1 and 2 each write their number into rank 0's window under an exclusive lock: which comes last is open
 * (MPI-4.0, 12.5.3), and rank 0 takes it to be rank 2. In the twin each has a place of its own.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, place = 0, found;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
#ifdef TWIN
    place = rank;
#endif
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, place, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
#ifdef TWIN
        place = 2;
#endif
        found = memory[place];
        MPI_Win_unlock(0, window);
        assert(found == 2); /* @assertion */
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
