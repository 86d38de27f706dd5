/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The request of a put is dropped: MPI_Win_flush completes the put at its target, but not the request. */
/* Twin: the request is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory[2] = {0, 0};
    MPI_Win win;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(&rank, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, win, &r); /* @missing-wait */
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Win_flush(1 - rank, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
