/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks meet at a barrier, then call MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
