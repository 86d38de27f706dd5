/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of a matrix goes as a vector type, arrives in a row; the row goes on into every second place. */
/* @ask 3: focus 0; why sparse[2]; why; why */
#include <mpi.h>

enum { N = 4 };

int main(int argc, char **argv)
{
    int rank, matrix[N][N], row[N] = {0}, sparse[2 * N] = {0};
    MPI_Datatype column, second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(N, 1, N, MPI_INT, &column);
    MPI_Type_vector(N, 1, -2, MPI_INT, &second); /* from the last one back */
    MPI_Type_commit(&column);
    MPI_Type_commit(&second);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = 10 * i + j;
    if (rank == 2)
        matrix[2][1] = -7; /* @wrong 2 */
    if (rank == 2)
        MPI_Send(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(row, N, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(row, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Recv(&sparse[2 * N - 2], 1, second, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Type_free(&second);
    MPI_Finalize();
    return sparse[0] > 0;
}
