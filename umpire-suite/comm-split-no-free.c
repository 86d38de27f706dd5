/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves are made and never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half); /* @leak-communicator */
    MPI_Barrier(half);
    MPI_Finalize();
    return 0;
}
