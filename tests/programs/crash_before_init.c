/* SPDX-License-Identifier: BSD-3-Clause */
/* The program crashes before MPI_Init. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int *volatile nowhere = NULL;

    *nowhere = 1; /* @crash */
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
