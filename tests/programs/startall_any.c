/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent wildcards: wrong if rank 2 comes first. */
/* Twin: persistent wildcards, in any order. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2];
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv_init(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Recv_init(&x[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#ifdef TWIN
        assert(x[0] + x[1] == 3);
#else
        assert(x[0] == 1); /* @assertion */
#endif
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
