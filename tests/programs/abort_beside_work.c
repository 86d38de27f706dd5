/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 aborts while rank 0 is busy: nobody knows what rank 0 would have done next. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3); /* @abort */
    pause();
    MPI_Finalize();
    return 0;
}
