/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_Cancel may return before the receive is cancelled (MPI-4.0, 3.8.4), and until then a message may still
 * come, also one that is sent only then. The twin waits before it lets the message be sent. */
/* interleavings 2, twin 1 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, go = 0, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
#ifdef TWIN
        MPI_Wait(&request, &status);
        MPI_Send(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#else
        MPI_Send(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
#endif
        MPI_Test_cancelled(&status, &cancelled);
        assert(cancelled); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
