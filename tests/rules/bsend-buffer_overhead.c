/* SPDX-License-Identifier: BSD-3-Clause */
/* The attached buffer has room for the data, but not for MPI_BSEND_OVERHEAD. */
/* Twin: the attached buffer has room for the data and MPI_BSEND_OVERHEAD. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x[100] = {1};
#ifdef TWIN
    static char buffer[sizeof x + MPI_BSEND_OVERHEAD], *old;
#else
    static char buffer[sizeof x], *old;
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0)
        MPI_Bsend(x, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @bsend-buffer */
    else
        MPI_Recv(x, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
}
