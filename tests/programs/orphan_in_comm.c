/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that is still there when its communicator is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, dup, &r); /* @lost-message */
        MPI_Request_free(&r);
    }
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
