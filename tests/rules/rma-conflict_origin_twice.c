/* SPDX-License-Identifier: BSD-3-Clause */
/* What is got is put on before the get is complete. */
/* Twin: what is got is put on when the get is complete. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, value;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Get(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
#ifdef TWIN
    MPI_Win_flush_local(1 - rank, win);
#endif
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 1 + rank, 1, MPI_INT, win); /* @rma-conflict */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
