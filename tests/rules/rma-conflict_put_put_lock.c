/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two ranks put into one place under shared locks. */
/* Twin: two ranks put into one place under exclusive locks. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank > 0) {
#ifdef TWIN
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
#else
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#endif
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
