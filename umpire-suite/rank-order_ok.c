/* SPDX-License-Identifier: BSD-3-Clause */
/* The new communicator keeps the order of the world. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm same;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &same);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, same, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, same);
    }
    MPI_Comm_free(&same);
    MPI_Finalize();
    return 0;
}
