/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The last rank has no right neighbour, and sends to it. */
/* Twin: the last rank has no right neighbour: its message goes nowhere. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&x, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
    MPI_Send(&rank, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#else
    MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); /* @invalid-rank */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
