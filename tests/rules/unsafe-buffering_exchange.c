/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Both ranks send first, and then receive. */
/* Twin: both ranks send first, without waiting, and then receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Isend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    request = MPI_REQUEST_NULL;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
