/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The request of a nonblocking collective is freed. */
/* Twin: it is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#else
    MPI_Request_free(&r); /* @invalid-request */
#endif
    MPI_Finalize();
    return 0;
}
