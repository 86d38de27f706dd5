/* SPDX-License-Identifier: BSD-3-Clause */
/* The column of a matrix that is put lies beyond the end of the window. */
/* Twin: the column of a matrix that is put lies in the window. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int numbers[4] = {0};
    MPI_Datatype column;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
#ifdef TWIN
    MPI_Put(numbers, 4, MPI_INT, 0, 3, 1, column, win);
#else
    MPI_Put(numbers, 4, MPI_INT, 0, 4, 1, column, win); /* @invalid-argument */
#endif
    MPI_Win_unlock(0, win);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
