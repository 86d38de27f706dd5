/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: locks and atomic accesses come in an order that the sends decide */
/* Rank 0's lock can come first only if both of its sends are buffered (MPI-4.0, 3.5 and 12.5.3). Where locks
 * that keep each other out come in an order that needs that, deadlocks with some sends buffered and others not
 * are not sought: the verdict says so. In the twin there is one send: it is buffered, or none is. */
#include <mpi.h>

static void put(int value, MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
}

int main(int argc, char **argv)
{
    int rank, value = 0, *memory;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef TWIN
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
        put(1, window);
    } else {
        put(2, window);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
