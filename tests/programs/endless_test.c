/* SPDX-License-Identifier: BSD-3-Clause */
/* A Test loop for a message that nobody sends. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, flag = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        while (!flag)
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE); /* @livelock */
    }
    MPI_Finalize();
    return 0;
}
