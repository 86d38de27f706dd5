/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer has room for one message, and two may be pending. */
/* Twin: the buffer has room for one message: enough, since the answer says that the last one has left it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[sizeof(int) + MPI_BSEND_OVERHEAD];
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
#ifdef TWIN
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Bsend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
#else
    if (rank == 0)
        for (int i = 0; i < 2; i++)
            MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @bsend-buffer */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < 2; i++)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
