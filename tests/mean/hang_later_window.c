/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 --timeout=6 */
/* Rank 2 sends when rank 0 has written into its window, which it does when it has the message of rank 1
 * (MPI-4.0, 12.7: what a put wrote is visible after unlock and sync). Rank 0 cannot have the message of rank
 * 2 first, and to wait for it is no order of this program. Rank 2 may look in vain once, or not at all. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, seen = 0, *cell;
    MPI_Win window;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &window);
    *cell = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        value = 1;
        MPI_Accumulate(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(2, window);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE != 2); /* @assertion */
#endif
    } else if (rank == 2) {
        do {
            MPI_Fetch_and_op(&value, &seen, MPI_INT, 2, 0, MPI_NO_OP, window);
            MPI_Win_flush(2, window);
        } while (!seen);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
