/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* It is freed when it is not needed any more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x;
    MPI_Request r, copy;

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    copy = r;
    MPI_Startall(1, &copy);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
