/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Two ranks write one place under exclusive locks. MPI-4.0, 12.5.3: nothing says which gets the lock first, so the last value
 * may be either one's; the program counts on that of rank 2. The twin takes both.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef TWIN
        assert(*memory == 1 || *memory == 2);
#else
        assert(*memory == 2); /* @assertion */
#endif
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
