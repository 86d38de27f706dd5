/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A column of a matrix to the next rank: all wait for it to be sent before they receive. */
/* Twin: a column of a matrix to the next rank, sent and received at once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n;
    double a[4][4] = { {0} };
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
#ifdef TWIN
    MPI_Sendrecv(&a[0][0], 1, column, (rank + 1) % n, 0, &a[0][1], 1, column, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#else
    MPI_Send(&a[0][0], 1, column, (rank + 1) % n, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(&a[0][1], 1, column, (rank + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
