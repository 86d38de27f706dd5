/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank duplicates, the other splits. */
/* Twin: both split. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifndef TWIN
    int rank;
#endif
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
#ifdef TWIN
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
#else
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* @collective-mismatch */
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    }
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
