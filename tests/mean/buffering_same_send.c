/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2's first message must be buffered for its second one to reach the wildcard. In the twin the head to head needs just that first
 * message buffered, and nothing else: whenever the race goes that way it is (MPI-4.0, 3.4 and 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        MPI_Recv(&got, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        if (status.MPI_SOURCE != 2)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
#ifndef TWIN
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* @unsafe-buffering? */
#endif
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
