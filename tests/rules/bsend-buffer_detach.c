/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer is detached that was never attached. */
/* Twin: a buffer is detached that was attached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    static char buffer[1000], *old = buffer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Buffer_attach(buffer, sizeof buffer);
#endif
    MPI_Buffer_detach(&old, &size); /* @bsend-buffer */
    MPI_Finalize();
}
