/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocking receive writes what is being sent. */
/* Twin: a blocking receive writes beside what is being sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_Request request;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &pair);
    MPI_Isend(&x[0], 1, MPI_INT, 1 - rank, 0, pair, &request);
#ifdef TWIN
    MPI_Recv(&x[1], 1, MPI_INT, 1 - rank, 0, pair, MPI_STATUS_IGNORE);
#else
    MPI_Recv(&x[0], 1, MPI_INT, 1 - rank, 0, pair, MPI_STATUS_IGNORE); /* @buffer-overlap */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair);
    MPI_Finalize();
}
