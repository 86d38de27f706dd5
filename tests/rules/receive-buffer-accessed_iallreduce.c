/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a nonblocking reduction is used before it is complete. */
/* Twin: its contribution to a nonblocking reduction may be read before it is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine, all = 0, sum;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
#ifdef TWIN
    sum = mine;
#else
    sum = all; /* @receive-buffer-accessed */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum > 7;
}
