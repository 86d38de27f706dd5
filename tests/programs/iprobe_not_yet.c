/* SPDX-License-Identifier: BSD-3-Clause */
/* Iprobe is taken to see the message at once. */
/* Twin: Iprobe is asked until it sees the message. */
#ifndef TWIN
#include <assert.h>
#endif
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, flag = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        while (!flag)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
#else
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(flag); /* @assertion */
#endif
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
