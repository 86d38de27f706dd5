/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_BYTE is no substitute for a type: both sides must use it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int i[4] = {1, 2, 3, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(i, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(i, sizeof i, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @type-mismatch */
    }
    MPI_Finalize();
    return 0;
}
