/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks meet at a barrier after MPI_Finalize. */
/* Twin: the ranks meet at a barrier, then call MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
#else
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD); /* @call-after-finalize */
#endif
    return 0;
}
