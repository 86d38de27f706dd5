/* SPDX-License-Identifier: BSD-3-Clause */
/* The second Waitany is taken to give index 1. */
/* Twin: each index once, in any order. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2], index;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
#ifdef TWIN
        int first = index;
        MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
        assert(first + index == 1);
#else
        MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
        assert(index == 1); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
