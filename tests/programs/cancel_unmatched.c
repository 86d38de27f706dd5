/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive that nobody sends to is cancelled. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, flag;
    MPI_Request r;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &flag);
    assert(flag);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
