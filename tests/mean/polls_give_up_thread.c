/* SPDX-License-Identifier: BSD-3-Clause */
/* The tries are counted in a variable of the thread: each of five tests may fail (MPI-4.0, 3.7.3). */
#include <assert.h>
#include <mpi.h>

static _Thread_local int tries;

int main(int argc, char **argv)
{
    int rank, value = 0, there = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!there && tries < 5) {
            MPI_Test(&request, &there, MPI_STATUS_IGNORE);
            tries++;
        }
#ifndef TWIN
        assert(there); /* @assertion */
#endif
        if (!there)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
