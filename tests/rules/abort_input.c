/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a bad input, and aborts; the others wait for it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, cells = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && cells < 0)
        MPI_Abort(MPI_COMM_WORLD, 3); /* @abort */
    MPI_Bcast(&cells, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
