/* SPDX-License-Identifier: BSD-3-Clause */
/* The same wildcards and tags on the world and on a duplicate do not mix. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y;
    MPI_Request r[2];
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    if (rank == 0) {
        for (int k = 0; k < 2; k++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, dup, MPI_STATUS_IGNORE);
            assert(x >= 100);
        }
        for (int k = 0; k < 2; k++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(x < 100);
        }
    } else {
        y = 100 + rank;
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&y, 1, MPI_INT, 0, 0, dup, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
