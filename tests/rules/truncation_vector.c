/* SPDX-License-Identifier: BSD-3-Clause */
/* Three columns of a matrix are sent, two are received. */
/* Twin: three columns of a matrix are sent, as many are received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double a[4][4] = {{0}};
    MPI_Datatype strided, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &strided);
    MPI_Type_create_resized(strided, 0, sizeof(double), &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Send(a, 3, column, 1, 0, MPI_COMM_WORLD);
    else
#ifdef TWIN
        MPI_Recv(a, 3, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(a, 2, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation */
#endif
    MPI_Type_free(&strided);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
