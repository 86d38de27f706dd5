/* SPDX-License-Identifier: BSD-3-Clause */
/* Of six messages that are all there, MPI_Waitsome may complete any (MPI-4.0, 3.7.5), so also three. */
/* interleavings 63, twin 63 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[6] = {0}, n, which[6];
    MPI_Request requests[6];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 6; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitsome(6, requests, &n, which, MPI_STATUSES_IGNORE);
#ifndef TWIN
        assert(n != 3 || which[0] != 1 || which[1] != 3 || which[2] != 5); /* @assertion */
#endif
        assert(n > 0);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 6; i++)
            MPI_Issend(&value[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
