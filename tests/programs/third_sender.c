/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 3 sends to rank 0 only after its own wildcard has matched; still it may come first. */
/* Twin: the third sender comes at any place. */
#ifndef TWIN
#include <assert.h>
#endif
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, from[3] = {0};
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int k = 0; k < 3; k++)
            MPI_Recv(&from[k], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        assert(from[0] != 3); /* @assertion */
#endif
    } else if (rank == 3) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
