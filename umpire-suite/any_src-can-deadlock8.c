/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tags: the wildcard takes tag 1 of either rank, then tag 1 of rank 1 and tag 2 of both are awaited. */
/* Twin: the second receive of tag 1 is a wildcard too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_Request r, s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
#endif
        MPI_Recv(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
        MPI_Isend(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &s);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Wait(&s, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
