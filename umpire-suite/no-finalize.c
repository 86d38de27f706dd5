/* SPDX-License-Identifier: BSD-3-Clause */
/* The program returns without MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
