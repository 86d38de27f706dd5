/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The same request stands in the array twice. */
/* Twin: both requests stand in the array. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
#ifndef TWIN
    r[1] = r[0];
#endif
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* @request-reuse */
    MPI_Finalize();
    return 0;
}
