/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A leaf of MPI_Gather that leaves early (MPI-4.0, 6.14) lets its next message win the race for the wildcard; then ranks 0 and 2 meet
 * head to head, and deadlock if MPI does not buffer those (3.4 and 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, all[3], got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef TWIN
        MPI_Sendrecv(&value, 1, MPI_INT, 2, 3, &got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        if (status.MPI_SOURCE == 1) {
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        }
#endif
        MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
