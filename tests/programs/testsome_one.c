/* SPDX-License-Identifier: BSD-3-Clause */
/* Testsome is taken to complete both or none. */
/* Twin: what Testsome leaves is waited for. */
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
        MPI_Testsome(2, r, &count, done, MPI_STATUSES_IGNORE);
#ifndef TWIN
        assert(count != 1); /* @assertion */
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
