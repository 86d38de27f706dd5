/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of which the compiler makes several calls, as it does where it unrolls a loop: each mistake in it is
 * one finding, whichever of them comes first. In one interleaving the first call's request is completed. Two
 * calls that only stand in one line are two. */
#include <mpi.h>
#include <stddef.h>

#define FOUR(it) it it it it

int main(int argc, char **argv)
{
    MPI_Request requests[4];
    MPI_Comm comm;
    int rank, got[2], n = 0, all = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        all = got[0];
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    FOUR(MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, n, MPI_COMM_SELF, &requests[n]); n++;) /* @missing-wait */
    FOUR(MPI_Comm_dup(MPI_COMM_SELF, &comm);) /* @leak-communicator */
    MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_Comm_dup(MPI_COMM_SELF, &comm); /* @leak-communicator */
    if (rank > 0 || all == 1)
        MPI_Waitall(rank > 0 ? 4 : 1, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
