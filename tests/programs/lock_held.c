/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank waits for a message with a lock in its hand that the sender wants first. */
/* Twin: both locks are shared: nobody waits. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
#ifdef TWIN
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
#else
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
#endif
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
        MPI_Win_unlock(2, win);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win); /* @deadlock? */
        MPI_Win_unlock(2, win);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win); /* @deadlock? */
    MPI_Finalize();
    return 0;
}
