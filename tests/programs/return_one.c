/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank returns 1 after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 1;
}
