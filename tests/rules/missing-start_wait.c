/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Every rank makes a persistent receive and waits for it, but has forgotten to start it: the data never comes. */
/* Twin: the receive is started, and gets the neighbour's message. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
#ifdef TWIN
    MPI_Start(&r);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE); /* @missing-start */
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
