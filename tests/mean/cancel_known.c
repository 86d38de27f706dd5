/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A message that was sent by MPI_Ssend is received when that returns (MPI-4.0, 3.4). Who knows that it has
 * returned knows that the receive is complete, and a cancel comes too late. After MPI_Send nobody knows
 * that: it may have been buffered. */
/* twin interleavings 1 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Ssend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#else
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(!cancelled); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
