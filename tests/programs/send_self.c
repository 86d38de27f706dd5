/* SPDX-License-Identifier: BSD-3-Clause */
/* Send to oneself before the receive: works only if MPI buffers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0, y = 0;

    MPI_Init(&argc, &argv);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
