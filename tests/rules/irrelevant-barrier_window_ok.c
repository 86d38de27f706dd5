/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A barrier that orders stores to shared memory: messages do not show what it is for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *base;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    *mine = rank;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    MPI_Win_shared_query(win, 1 - rank, &size, &unit, &base);
    int wrong = *base != 1 - rank;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
