/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As wildcard_ahead, but in the twin the message that would have to be buffered is a synchronous send: the race does not exist, so the
 * exchange of ranks 0 and 2 is always in the order that works (MPI-4.0, 3.4). */
#include <mpi.h>

#ifdef TWIN
#define FIRST MPI_Ssend
#else
#define FIRST MPI_Send
#endif

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Recv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_SOURCE != 1)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        FIRST(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        int tag1 = 0;
        MPI_Request request;
        MPI_Isend(&tag1, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
