/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank reduces fewer values, nonblocking. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double x[2] = {1, 2}, y[2];
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Iallreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r); /* @type-mismatch */
    else
        MPI_Iallreduce(x, y, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
