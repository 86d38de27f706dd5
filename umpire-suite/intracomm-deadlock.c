/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier of the world on one side, of a duplicate on the other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    if (rank == 0) {
        MPI_Barrier(dup); /* @deadlock */
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
