/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A send that is cancelled, which is deprecated, is received or not (MPI-4.0, 3.8.4): isp tries one of the
 * two, and says so. Where nobody receives it there is one outcome. */
/* incomplete: only one outcome was tried of a call that cancels (MPI_Cancel in main at */
/* twin interleavings 1 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#ifndef TWIN
    else {
        MPI_Status status;
        int cancelled;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(cancelled == 0 || cancelled == 1);
    }
#endif
    MPI_Finalize();
    return 0;
}
