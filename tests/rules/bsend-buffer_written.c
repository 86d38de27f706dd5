/* SPDX-License-Identifier: BSD-3-Clause */
/* The program writes into the attached buffer, in which messages may be. */
/* Twin: the program writes into the buffer when it is detached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1;
    static char buffer[1000], *old;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
#ifndef TWIN
    buffer[50] = 1;
#endif
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size); /* @bsend-buffer */
#ifdef TWIN
    buffer[50] = 1;
#endif
    MPI_Finalize();
}
