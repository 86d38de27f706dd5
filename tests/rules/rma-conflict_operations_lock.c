/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Accumulates of different operations under shared locks. */
/* Twin: accumulates of one operation and MPI_NO_OP under shared locks. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef TWIN
        MPI_Fetch_and_op(&rank, &value, MPI_INT, 0, 0, rank == 1 ? MPI_SUM : MPI_NO_OP, win);
#else
        MPI_Fetch_and_op(&rank, &value, MPI_INT, 0, 0, rank == 1 ? MPI_SUM : MPI_REPLACE, win); /* @rma-conflict */
#endif
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
