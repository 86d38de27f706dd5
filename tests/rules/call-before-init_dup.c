/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is duplicated before MPI_Init. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm mine = MPI_COMM_NULL;
    int there;

    MPI_Initialized(&there);
    if (!there)
        MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* @call-before-init */
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
