/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI is used after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* @call-after-finalize */
    return 0;
}
