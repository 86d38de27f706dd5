/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 may leave MPI_Reduce before its root has come (MPI-4.0, 6.14), and then its message is there for the wildcard of rank 0; a second
 * reduction, in which rank 2 may not leave early, deadlocks then. With all early or none nothing happens. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE == 1)
            MPI_Recv(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        if (status.MPI_SOURCE != 1)
#endif
            MPI_Recv(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
