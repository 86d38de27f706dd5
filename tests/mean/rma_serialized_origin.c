/* SPDX-License-Identifier: BSD-3-Clause */
/* The library is asked for MPI_THREAD_SERIALIZED, and one thread is all there is. The origin buffer of a
 * put changes before the flush (MPI-4.0, section 12.3: it must not until then). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, provided, *memory, value = 1;
    MPI_Win win;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* @rma-conflict? */
#ifdef TWIN
        MPI_Win_flush(1, win);
#endif
        value = 2; /* @rma-conflict? */
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return value < 0;
}
