/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A persistent receive is cancelled: that start of it, and no other (MPI-4.0, 3.8.4 and 3.9). Its second
 * start gets what the first one did not; where that was received already, nothing comes. */
/* interleavings 2, twin 2 */
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
        MPI_Ssend(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Recv(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
#ifdef TWIN
        if (cancelled)
#endif
        {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE); /* @deadlock */
        }
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
