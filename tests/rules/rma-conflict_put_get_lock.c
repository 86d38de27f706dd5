/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 gets what rank 1 puts, and the message that orders them comes too early. */
/* Twin: rank 2 gets what rank 1 puts, behind a message. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
#ifdef TWIN
        MPI_Win_unlock(0, win);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
#else
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Win_unlock(0, win);
#endif
    } else if (rank == 2) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
