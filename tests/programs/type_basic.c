/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers are received as floating-point numbers of the same size. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    float x[4] = {0};
    int i[4] = {1, 2, 3, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(i, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(x, 4, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @type-mismatch */
    }
    MPI_Finalize();
    return 0;
}
