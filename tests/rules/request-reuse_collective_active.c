/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A persistent collective is started again before it was completed. */
/* Twin: it is completed in between. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x[3] = {1, 2, 3};
    MPI_Datatype three;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Bcast_init(x, 1, three, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Start(&r); /* @request-reuse */
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    MPI_Type_free(&three);
    MPI_Finalize();
    return 0;
}
