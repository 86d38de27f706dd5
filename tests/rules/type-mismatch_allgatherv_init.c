/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A persistent collective: all know what rank 1 gives but rank 0. */
/* Twin: a persistent collective: all know what rank 1 gives. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, counts[3] = {1, 2, 1}, at[3] = {0, 1, 3};
    float mine[2] = {1, 2}, all[4];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
#ifdef TWIN
        counts[1] = 2;
#else
        counts[1] = 1;
#endif
    MPI_Allgatherv_init(mine, rank == 1 ? 2 : 1, MPI_FLOAT, all, counts, at, MPI_FLOAT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request); /* @type-mismatch? */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
