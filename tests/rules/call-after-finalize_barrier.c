/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks meet at a barrier after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD); /* @call-after-finalize */
    return 0;
}
