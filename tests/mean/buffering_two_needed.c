/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Two races, each of which needs a message of its own buffered: only if both are, ranks 0 and 2 meet head to head, and deadlock if MPI
 * does not buffer those (MPI-4.0, 3.4 and 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got;
    MPI_Request request;
    MPI_Status status[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int both;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status[0]);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status[1]);
        both = status[0].MPI_SOURCE == 1 && status[1].MPI_SOURCE == 3;
#ifdef TWIN
        both = 0;
#endif
        if (both)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!both)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status[0].MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 5 - status[1].MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Request other;
        MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Isend(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &other);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&other, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, rank == 1 ? 1 : 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
