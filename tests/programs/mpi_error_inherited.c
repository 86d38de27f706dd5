/* SPDX-License-Identifier: BSD-3-Clause */
/* The program sets no error handler on its communicator and its window: MPICH asks that of
 * MPI_COMM_WORLD, though it was set later, and the program goes on. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, buffer = 0;
    MPI_Comm comm;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Win_create(&buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Send(&buffer, 1, MPI_INT, 1000, 0, comm) == MPI_SUCCESS) /* @invalid-rank */
        abort();
    if (MPI_Comm_split(comm, 0, rank, NULL) == MPI_SUCCESS) /* @invalid-argument */
        abort();
    if (MPI_Win_set_attr(win, MPI_KEYVAL_INVALID, NULL) == MPI_SUCCESS) /* @invalid-argument */
        abort();
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
