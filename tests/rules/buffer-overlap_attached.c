/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive writes into the attached buffer. */
/* Twin: a receive writes beside the attached buffer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1;
    static char buffer[1004], *old;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, 1000);
    MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
#ifdef TWIN
    MPI_Recv(buffer + 1000, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(buffer + 996, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @buffer-overlap */
#endif
    MPI_Buffer_detach(&old, &size); /* @bsend-buffer? */
    MPI_Finalize();
}
