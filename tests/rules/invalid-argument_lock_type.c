/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A lock that is neither shared nor exclusive. */
/* Twin: a shared lock. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int memory = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#ifdef TWIN
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#else
    MPI_Win_lock(0, 0, 0, win); /* @invalid-argument */
#endif
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
