/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank says hello. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("hello from rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
