/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier may complete before the message is there: then its buffer must not be looked at. */
/* Twin: whichever of barrier and message completes first, the other is waited for. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 5, got = 0, which;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
    if (rank == 0) {
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Wait(&r[1 - which], MPI_STATUS_IGNORE);
        assert(got == 5);
#else
        assert(which == 1 && got == 5); /* @assertion */
        MPI_Wait(&r[1 - which], MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
