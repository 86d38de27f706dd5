/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 looks at a flag five times at most, which rank 0 sets at some time: nothing orders the epochs (MPI-4.0,
 * 12.5.3), so all of its looks may be in vain. isp lets it wait after two, and says so, since it counts them. In
 * the twin it looks until the flag is set. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, flag = 0, looks = 0, one = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    } else {
        do {
#ifndef TWIN
            looks++;
#endif
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
            MPI_Get(&flag, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
            MPI_Win_unlock(0, window);
        } while (!flag && looks < 5);
        assert(flag);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
/* incomplete: it was not tried that a window is looked at in vain more often, though the program then does something else */
