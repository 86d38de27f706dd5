/* SPDX-License-Identifier: BSD-3-Clause */
/* A duplicate is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup); /* @leak-communicator */
    MPI_Barrier(dup);
    MPI_Finalize();
    return 0;
}
