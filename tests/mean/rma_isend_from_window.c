/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking send reads the window of rank 0 until it is completed, which is after the barrier; rank 1
 * puts there behind the barrier (MPI-4.0, sections 3.7.2 and 12.7). The twin completes it before. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int value = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(memory, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* @rma-conflict? */
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
#else
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        int values[4];
        MPI_Request request;
        MPI_Irecv(values, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
