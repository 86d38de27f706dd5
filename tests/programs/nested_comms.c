/* SPDX-License-Identifier: BSD-3-Clause */
/* A half of a half, with traffic in each. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x;
    MPI_Comm half, quarter;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_rank(half, &x);
    MPI_Comm_split(half, x, 0, &quarter);
    MPI_Barrier(quarter);
    if (x == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, half);
    else
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, half, MPI_STATUS_IGNORE);
    MPI_Comm_free(&quarter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
