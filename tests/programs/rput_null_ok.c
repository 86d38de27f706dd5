/* SPDX-License-Identifier: BSD-3-Clause */
/* An access with a request to MPI_PROC_NULL, behind one to a rank: only that one has a buffer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win win;
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(&value, 1, MPI_INT, 1 - rank, 2, 1, MPI_INT, win, &requests[0]);
    MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 3, 1, MPI_INT, win, &requests[1]);
    MPI_Rput(&value, 0, MPI_INT, 1 - rank, 3, 0, MPI_INT, win, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
