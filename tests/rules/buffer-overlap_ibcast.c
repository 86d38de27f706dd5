/* SPDX-License-Identifier: BSD-3-Clause */
/* A broadcast is pending, and a receive is posted for a part of its buffer. */
/* Twin: a broadcast is pending, and a receive is posted for memory behind its buffer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[4] = {1, 2, 3, 4};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ibcast(x, 3, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    if (rank == 0)
        MPI_Send(&x[3], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
#ifdef TWIN
        MPI_Recv(&x[3], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x[2], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @buffer-overlap */
#endif
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
}
