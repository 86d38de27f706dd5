/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany may complete the send first only if MPI buffers it; then the ranks meet head to head (MPI-4.0, 3.4, 3.5 and 3.7.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, other = 0, got[3], which;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
#ifdef TWIN
        which = 1;
#endif
        if (which == 0)
            MPI_Send(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* @unsafe-buffering */
        MPI_Recv(&got[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (which != 0)
            MPI_Send(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Send(&other, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
