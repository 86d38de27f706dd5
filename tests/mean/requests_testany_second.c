/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * MPI_Testany takes any of the complete operations (MPI-4.0, 3.7.5): the second, of which the message may
 * be there first. In the twin rank 2 waits for rank 1's, and the first is complete whenever the second is;
 * which of both is taken then is still MPI's to decide, so it does not ask.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[2], index = 0, flag = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
#ifdef TWIN
        assert(!flag || index == 0 || index == 1);
#else
        assert(!flag || index == 0); /* @assertion */
#endif
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 3, twin 3 */
