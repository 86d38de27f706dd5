/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The usual end of a server: the receive that it has posted for the next request is cancelled. Two clients
 * send two requests each, in 6 orders; nothing more is sent, so the cancel has one outcome (MPI-4.0, 3.8.4).
 * One that sends another request is not always heard. */
/* twin interleavings 6 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    enum { CLIENTS = 2, EACH = 2 };
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        for (int i = 0; i < EACH; i++)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @lost-message? */
#ifndef TWIN
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @lost-message */
#endif
    } else {
        int cancelled;
        MPI_Request request;
        MPI_Status status;
        for (int i = 0; i < CLIENTS * EACH; i++) {
            MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
#ifdef TWIN
        assert(cancelled);
#endif
    }
    MPI_Finalize();
    return 0;
}
