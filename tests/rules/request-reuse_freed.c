/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A request is freed by one name, and tested by another. */
/* Twin: it is completed by the other name. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, flag = 0;
    MPI_Request r, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    copy = r;
#ifndef TWIN
    MPI_Request_free(&r);
#endif
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&copy, &flag, MPI_STATUS_IGNORE); /* @request-reuse */
    MPI_Finalize();
    return 0;
}
