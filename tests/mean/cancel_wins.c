/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The message is there, and the receive that it would match is cancelled: either it completes, or the cancel
 * succeeds, and then the message is never received (MPI-4.0, 3.8.4). The twin receives it in either case. */
/* interleavings 2, twin 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @lost-message */
    } else {
        int cancelled;
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
#ifdef TWIN
        if (cancelled)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    return 0;
}
