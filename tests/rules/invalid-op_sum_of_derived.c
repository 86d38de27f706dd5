/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A predefined operation on a derived type. */
/* Twin: a predefined operation on the elements themselves. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[2] = {1, 2}, y[2];
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
#ifdef TWIN
    MPI_Reduce(x, y, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#else
    MPI_Reduce(x, y, 1, pair, MPI_SUM, 0, MPI_COMM_WORLD); /* @invalid-op */
#endif
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
