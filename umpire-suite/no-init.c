/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI is used before MPI_Init. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* @call-before-init */
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
