/* SPDX-License-Identifier: BSD-3-Clause */
/* The root waits for its nonblocking broadcast, then sends what rank 1 receives before it calls it. */
/* Twin: rank 1 takes part in the nonblocking broadcast first, then receives. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word, more = -1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word = rank + 1;
#ifndef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* @unsafe-buffering */
    if (word != 1)
        exit(1);
    word = 99;
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (rank == 1 && more != 99)
        exit(2);
    MPI_Finalize();
    return 0;
}
