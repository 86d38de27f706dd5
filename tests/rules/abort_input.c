/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a bad input, and aborts; the others wait for it. */
/* Twin: rank 0 reads a bad input, and tells the others, which end with it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, cells = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef TWIN
    if (rank == 0 && cells < 0)
        MPI_Abort(MPI_COMM_WORLD, 3); /* @abort */
#endif
    MPI_Bcast(&cells, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
