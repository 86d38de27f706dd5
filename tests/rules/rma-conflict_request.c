/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 puts where rank 1 gets, and the message that orders them is sent before the wait for the get. */
/* Twin: rank 2 puts where rank 1 gets, and the message that orders them is sent behind the wait for the
 * get. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int value;
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Rget(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
#else
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else if (rank == 2) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
