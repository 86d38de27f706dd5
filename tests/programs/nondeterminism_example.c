/* SPDX-License-Identifier: BSD-3-Clause */
/* The dissertation's example: rank 1 takes a message from anybody, then one from rank 2. */
/* Twin: rank 1 takes the message of rank 2 first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
#endif
    } else {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @deadlock? */
    }
    MPI_Finalize();
    return 0;
}
