/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements that a pending MPI_Rput reads are received into. */
/* Twin: the elements that a pending MPI_Rput reads are not received into. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int values[3] = {1, 2, 3};
    MPI_Request requests[2];
    MPI_Datatype type;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Win_lock_all(0, win);
    MPI_Rput(values, 1, type, 1 - rank, 0, 2, MPI_INT, win, &requests[0]);
#ifdef TWIN
    MPI_Irecv(&values[1], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
#else
    MPI_Irecv(&values[2], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]); /* @rma-conflict */
#endif
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
