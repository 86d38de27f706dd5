/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a duplicate and its duplicate only the first is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm a, b;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(a, &b); /* @leak-communicator */
    MPI_Barrier(b);
    MPI_Comm_free(&a);
    MPI_Finalize();
    return 0;
}
