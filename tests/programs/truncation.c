/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ints into a receive for one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @truncation? */
    } else {
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation? */
    }
    MPI_Finalize();
    return 0;
}
