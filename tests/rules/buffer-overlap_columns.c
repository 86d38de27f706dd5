/* SPDX-License-Identifier: BSD-3-Clause */
/* The same column of a matrix is received twice at once. */
/* Twin: two neighbouring columns of a matrix are received at once: interleaved, but apart. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, i, j;
    double matrix[4][5];
    MPI_Datatype column;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 4; i++)
        for (j = 0; j < 5; j++)
            matrix[i][j] = i + j;
    MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Send(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&matrix[0][2], 1, column, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&matrix[0][1], 1, column, 0, 0, MPI_COMM_WORLD, &requests[0]);
#ifdef TWIN
        MPI_Irecv(&matrix[0][2], 1, column, 0, 1, MPI_COMM_WORLD, &requests[1]);
#else
        MPI_Irecv(&matrix[0][1], 1, column, 0, 1, MPI_COMM_WORLD, &requests[1]); /* @buffer-overlap */
#endif
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
}
