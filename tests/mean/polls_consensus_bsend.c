/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The consensus of polls_consensus with buffered sends: MPI_Ibarrier does not wait for messages on their
 * way (MPI-4.0, 3.4, 6.12.1), so rank 0 may leave without the one of rank 1. The twin sends synchronously,
 * and enters the barrier when it was received.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[1000];
    int rank, value, found, size, got = 0, done = 0;
    void *old;
    MPI_Request barrier;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, sizeof buffer);
#ifdef TWIN
    if (rank == 1)
        MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
    if (rank == 1)
        MPI_Bsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) {
        if (rank == 0) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
            if (found)
                MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            got += found;
        }
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    assert(rank || got == 1); /* @assertion */
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}
