/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be asked after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag;

    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Finalized(&flag);
    return !flag;
}
