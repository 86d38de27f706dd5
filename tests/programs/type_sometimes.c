/* SPDX-License-Identifier: BSD-3-Clause */
/* One of two workers answers with another type: wrong only if the other receive takes its message. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @type-mismatch */
        MPI_Recv(&x, 1, MPI_LONG, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   /* @type-mismatch */
    } else {
        MPI_Send(&x, 1, rank == 1 ? MPI_DOUBLE : MPI_LONG, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
