/* SPDX-License-Identifier: BSD-3-Clause */
/* Send and receive buffer of one collective are the same. */
/* Twin: the data is in the receive buffer: MPI_IN_PLACE says so. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double sums[3] = {1, 2, 3};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Iallreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
#else
    MPI_Iallreduce(sums, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request); /* @buffer-overlap */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
