/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* MPI_Sendrecv sends and receives at once: in the twin nothing in the order that needs a buffered message can block, whatever else MPI
 * buffers (MPI-4.0, 3.10). With MPI_Send and MPI_Recv it can, of one message only: rank 2's. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, late = 0, got[2];
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1)
            MPI_Sendrecv(&value, 1, MPI_INT, 2, 3, &got[1], 1, MPI_INT, 2, 4, MPI_COMM_WORLD, /* @unsafe-buffering */
                         MPI_STATUS_IGNORE);
        else
            MPI_Recv(&got[1], 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_SOURCE == 1)
            MPI_Recv(&got[1], 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Sendrecv(&value, 1, MPI_INT, 2, 3, &got[1], 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[0], 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Request five = MPI_REQUEST_NULL;
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Isend(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &five);
#else
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* @unsafe-buffering? */
#endif
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 4, &got[1], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&five, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
