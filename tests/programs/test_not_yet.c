/* SPDX-License-Identifier: BSD-3-Clause */
/* The message has come before the barrier; still Test may say not yet. */
/* Twin: Wait instead of Test. */
#ifndef TWIN
#include <assert.h>
#endif
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, x = 0;
#else
    int rank, x = 0, flag;
#endif
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#else
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        assert(flag); /* @assertion */
#endif
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
