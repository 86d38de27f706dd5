/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root of MPI_Bcast may leave before the others come (MPI-4.0, 6.14): its message is then an alternative for rank 0's wildcard. In that
 * order ranks 0 and 2 meet head to head: a deadlock if MPI does not buffer those (3.4 and 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE == 1) {
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else
#endif
        {
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        }
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&got, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
