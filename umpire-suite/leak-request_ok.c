/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent request is made, never started, and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
