/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has nothing to do after the first step, and returns without MPI_Finalize. */
/* Twin: rank 1 has nothing to do after the first step, and calls MPI_Finalize before it returns. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* @no-finalize */
#ifdef TWIN
    if (rank == 1) {
        MPI_Finalize();
        return 0;
    }
#else
    if (rank == 1)
        return 0;
#endif
    MPI_Finalize();
    return 0;
}
