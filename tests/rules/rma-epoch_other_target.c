/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Rank 1 is locked, and rank 2 gets the column of a matrix. */
/* Twin: rank 1 is locked, and rank 1 gets the column of a matrix. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int place, matrix[4][4] = {{0}};
    MPI_Comm comm;
    MPI_Datatype column;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &comm);
    MPI_Comm_rank(comm, &place);
    MPI_Win_allocate(sizeof matrix, sizeof(int), MPI_INFO_NULL, comm, &memory, &win);
    if (rank == 3) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
#ifdef TWIN
        MPI_Put(matrix, 1, column, 1, 0, 1, column, win);
#else
        MPI_Put(matrix, 1, column, 2, 0, 1, column, win); /* @rma-epoch */
#endif
        MPI_Win_unlock(1, win);
    }
    MPI_Comm_free(&comm);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
