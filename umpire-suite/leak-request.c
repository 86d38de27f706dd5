/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent request is made, never started and never freed. */
/* Twin: a persistent request is made, never started, and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r); /* @leak-request */
#ifdef TWIN
    MPI_Request_free(&r);
#endif
    MPI_Finalize();
    return 0;
}
