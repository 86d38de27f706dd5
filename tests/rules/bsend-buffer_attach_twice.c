/* SPDX-License-Identifier: BSD-3-Clause */
/* A second buffer is attached. */
/* Twin: the first buffer is detached before another is attached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    static char first[1000], second[1000], *old;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(first, sizeof first);
#ifdef TWIN
    MPI_Buffer_detach(&old, &size);
#endif
    MPI_Buffer_attach(second, sizeof second); /* @bsend-buffer */
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
}
