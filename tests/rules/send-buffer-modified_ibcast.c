/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of a nonblocking broadcast changes what is being sent. */
/* Twin: the root of a nonblocking broadcast reads what is being sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        x = 5;
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
#ifdef TWIN
        sum += x;
#else
        x++; /* @send-buffer-modified */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum > 5;
}
