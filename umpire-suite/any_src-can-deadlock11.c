/* SPDX-License-Identifier: BSD-3-Clause */
/* The same race on a duplicate, while the world carries a message that the wildcard must not take. */
/* Twin: both wildcards are on the duplicate; the world is left to the named receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, dup, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, dup, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, 2, 0, dup, MPI_STATUS_IGNORE); /* @deadlock */
#endif
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, dup);
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
