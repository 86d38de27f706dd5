/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A partition is marked ready before the partitioned send is started. */
/* Twin: the send is started first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(x, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
#ifdef TWIN
        MPI_Start(&r);
        MPI_Pready(0, r);
#else
        MPI_Pready(0, r); /* @invalid-request */
        MPI_Start(&r);
#endif
        MPI_Pready(1, r);
    } else {
        MPI_Precv_init(x, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
