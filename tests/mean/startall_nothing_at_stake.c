/* SPDX-License-Identifier: BSD-3-Clause */
/* To two ranks, or with two tags, or of one buffer: no order of MPI_Startall can be told apart, and there is one interleaving
 * (MPI-4.0, 3.9). The wrong form loses the last message. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* interleavings 1, twin 1 */
    MPI_Request more[3];
    if (rank == 0) {
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &more[0]);
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &more[1]);
        MPI_Recv_init(&b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &more[2]);
        MPI_Startall(3, more); /* @lost-message */
        MPI_Wait(&more[2], MPI_STATUS_IGNORE);
        for (int i = 0; i < 3; i++)
            MPI_Request_free(&more[i]);
    } else {
        MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Send(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    assert(a == 1);
    (void)requests;
    MPI_Finalize();
    return 0;
}
