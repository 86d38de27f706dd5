/* SPDX-License-Identifier: BSD-3-Clause */
/* exit(0) in the middle of a function, after work on a communicator of its own. */
/* Twin: exit(0) after MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Comm_free(&half); /* @no-finalize */
#ifdef TWIN
    MPI_Finalize();
    exit(sum > 100);
#else
    exit(sum > 100);
    MPI_Finalize();
#endif
}
