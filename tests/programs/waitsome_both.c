/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitsome is taken to complete one request at a time. */
/* Twin: Waitsome until all are done. */
#ifndef TWIN
#include <assert.h>
#endif
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2], count = 0, done[2];
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
#ifdef TWIN
        for (int all = 0; all < 2; all += count)
            MPI_Waitsome(2, r, &count, done, MPI_STATUSES_IGNORE);
#else
        MPI_Waitsome(2, r, &count, done, MPI_STATUSES_IGNORE);
        assert(count == 1); /* @assertion */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
