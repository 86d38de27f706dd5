/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --max-time=1 */
/* Rank 1 looks again and again for what nobody writes, each time with a lock of its own (MPI-4.0, 12.5.3): it
 * makes MPI calls for ever, so it does not hang. After 1 s and many polls it is a livelock; what ends it here
 * is --max-time, just before. */
/* incomplete: interleaving 0 was not over */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *cell, value = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &window);
    *cell = 0;
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
    value = 1;
#endif
    while (rank == 1 && value == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
