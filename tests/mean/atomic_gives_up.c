/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 looks at a flag three times at most, which rank 0 sets at some time: nothing orders the atomic
 * accesses (MPI-4.0, 12.7.1), so all of its looks may be in vain. isp lets it wait after two, and says so, since
 * it counts them, in static memory. In the twin it looks until the flag is set. */
#include <assert.h>
#include <mpi.h>

static int looks;

int main(int argc, char **argv)
{
    int rank, *memory, flag = 0, seen = 0, one = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
    } else {
        do {
#ifndef TWIN
            looks++;
#endif
            MPI_Fetch_and_op(&one, &flag, MPI_INT, 0, 0, MPI_NO_OP, window);
            MPI_Win_flush(0, window);
            seen = flag;
        } while (!seen && looks < 3);
        assert(seen);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
/* incomplete: it was not tried that a window is looked at in vain more often, though the program then does something else */
