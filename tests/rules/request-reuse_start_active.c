/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 0 starts a persistent send again before it has completed the first start. */
/* Twin: rank 0 completes each start of a persistent send before the next. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        MPI_Start(&r);
#ifdef TWIN
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
        MPI_Start(&r); /* @request-reuse */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
