/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 may leave MPI_Scan when rank 0 has called (MPI-4.0, 5.11 and 6.14), though rank 2 has not: then its message wins the race, and rank 0
 * sends where rank 2 sends too. Rank 2 comes to MPI_Scan later in any case. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, late = 0, sum, got;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Iscan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE == 1)
            MPI_Send(&late, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
#endif
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        if (status.MPI_SOURCE != 1)
#endif
            MPI_Send(&late, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Iscan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Request first;
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &first);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iscan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&first, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
