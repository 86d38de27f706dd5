/* SPDX-License-Identifier: BSD-3-Clause */
/* Test is taken to need some time. */
/* Twin: Test is asked until it says yes. */
#ifndef TWIN
#include <assert.h>
#endif
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, flag = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
#ifdef TWIN
        while (!flag)
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
#else
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        assert(!flag); /* @assertion */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
