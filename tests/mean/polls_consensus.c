/* SPDX-License-Identifier: BSD-3-Clause */
/* The consensus of sparse exchanges: whose sends are complete enters a barrier, and probes until that is over. It works since a synchronous send
 * is complete only if it is received (MPI-4.0, 3.4); with MPI_Isend the barrier may end before a message was found. */
#include <mpi.h>

#ifdef TWIN
#define MPI_Isend MPI_Issend
#endif

int main(int argc, char **argv)
{
    int rank, value = 0, got = 0, flag, done = 0, entered = 0;
    MPI_Request send, barrier;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &send); /* @lost-message */
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        if (flag)
            MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (entered) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Test(&send, &entered, MPI_STATUS_IGNORE);
        if (entered)
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    }
    MPI_Finalize();
    return 0;
}
