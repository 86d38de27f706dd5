/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* In the order that needs a buffered message one is never received: an error by itself (MPI-4.0, 11.2.2 and 3.5), which says it all;
 * that its sender may wait for ever is the same thing, not another one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE != 1)
#endif
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        int late = 0;
        MPI_Request request;
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @lost-message */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
