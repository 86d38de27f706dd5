/* SPDX-License-Identifier: BSD-3-Clause */
/* Eleven messages are there. MPI_Waitsome may complete any of them (MPI-4.0, 3.7.5), in 2047 ways; isp tries twelve. The twin waits for all. */
/* incomplete: not every subset of more than 10 complete requests was tried (MPI_Waitsome in main at */
/* interleavings 12, twin 1 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[11] = {0}, n = 1, which[11];
    MPI_Request requests[11];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 11; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Barrier(MPI_COMM_WORLD);
#ifndef TWIN
        MPI_Waitsome(11, requests, &n, which, MPI_STATUSES_IGNORE);
        assert(which[0] >= 0);
#else
        which[0] = 0;
#endif
        assert(n > which[0] - 11);
        MPI_Waitall(11, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 11; i++)
            MPI_Isend(&value[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(11, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
