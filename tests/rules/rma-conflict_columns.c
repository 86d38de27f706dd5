/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Ranks of a smaller communicator put into the same column of a matrix. */
/* Twin: ranks of a smaller communicator put into neighbouring columns of a matrix. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int place, numbers[3] = {1, 2, 3};
    MPI_Comm comm;
    MPI_Datatype column;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &comm);
    MPI_Comm_rank(comm, &place);
    MPI_Win_allocate(12 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win);
    MPI_Win_fence(0, win);
    if (place > 0)
#ifdef TWIN
        MPI_Put(numbers, 3, MPI_INT, 0, place, 1, column, win);
#else
        MPI_Put(numbers, 3, MPI_INT, 0, 1, 1, column, win); /* @rma-conflict */
#endif
    MPI_Win_fence(0, win);
    MPI_Comm_free(&comm);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
