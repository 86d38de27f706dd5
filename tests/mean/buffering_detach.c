/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* MPI_Buffer_detach waits until its messages are delivered, or until MPI has them elsewhere (MPI-4.0, 3.6). If elsewhere, rank 1's next message
 * may reach the wildcard first, and ranks 0 and 2 meet head to head: a deadlock if MPI does not buffer those (3.4 and 3.5). */
#include <mpi.h>

static char buffer[1000 + MPI_BSEND_OVERHEAD];

int main(int argc, char **argv)
{
    int rank, value = 0, late = 0, got, size;
    void *back;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE == 1)
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
#endif
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        if (status.MPI_SOURCE != 1)
#endif
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Buffer_detach(&back, &size);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
