/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that nobody receives, by Isend and Request_free. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* @lost-message */
        MPI_Request_free(&r);
    }
    MPI_Finalize();
    return 0;
}
