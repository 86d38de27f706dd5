/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Neighbours that are not there: MPI_PROC_NULL, and null requests beside one that is not started. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Request r[3];

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[1]);
    r[2] = MPI_REQUEST_NULL;
    MPI_Waitall(2, &r[1], MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Finalize();
    return 0;
}
