/* SPDX-License-Identifier: BSD-3-Clause */
/* The contribution to a pending reduction is changed. */
/* Twin: the contribution is changed when the reduction is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine = 1, sum;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    mine = 5;
#else
    mine = 5; /* @send-buffer-modified */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
}
