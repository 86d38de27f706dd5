/* SPDX-License-Identifier: BSD-3-Clause */
/* The send is synchronous: when it returns the receive has been started, not completed (MPI-4.0, section
 * 3.4). So a put to where rank 0 receives meets it still. The twin puts beside it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int value = 7;
    if (rank == 0) {
        MPI_Recv(&memory[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef TWIN
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
#else
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* @rma-conflict */
#endif
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
