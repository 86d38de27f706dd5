/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that nobody receives, by Bsend. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    char buffer[1000 + MPI_BSEND_OVERHEAD];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0) {
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @lost-message */
    }
    MPI_Finalize();
    return 0;
}
