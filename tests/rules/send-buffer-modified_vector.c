/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 writes into a column that is still being sent. */
/* Twin: rank 0 writes when the column has been sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, matrix[3][3] = {{0}};
    MPI_Datatype column;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Issend(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        matrix[2][1] = 7;
#else
        matrix[2][1] = 7; /* @send-buffer-modified */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&matrix[0][1], 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
}
