/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Where a receive is cancelled its message is for the next one (MPI-4.0, 3.8.4): that gets the first of the
 * two, and not the second. The twin takes both cases into account. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first = 1, second = 2, value = 0, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ssend(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&second, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(cancelled || value == 1);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        assert(value == (cancelled ? 1 : 2));
#else
        assert(value == 2); /* @assertion */
#endif
        if (cancelled)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
