/* SPDX-License-Identifier: BSD-3-Clause */
/* An assertion fails on rank 1. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(rank == 0); /* @assertion */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
