/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Ranks 0 and 2 would meet head to head in the order that needs a buffered message; but in the twin a wildcard of rank 2 is pending there, which
 * rank 3's message satisfies whatever is buffered, and then rank 2 receives (MPI-4.0, 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_SOURCE != 1)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        int late = 0;
        MPI_Request requests[2];
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
#ifdef TWIN
        MPI_Isend(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
#else
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        requests[1] = MPI_REQUEST_NULL;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
#endif
        MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE == 3 ? 0 : 3, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 2, 9, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
