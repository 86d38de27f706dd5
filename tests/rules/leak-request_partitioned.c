/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A partitioned receive is completed, and its request never freed. */
/* Twin: it is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(x, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    else
        MPI_Precv_init(x, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r); /* @leak-request */
    MPI_Start(&r);
    if (rank == 0)
        MPI_Pready_range(0, 1, r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_Request_free(&r);
#else
    if (rank == 0)
        MPI_Request_free(&r);
#endif
    MPI_Finalize();
    return 0;
}
