/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The message that must be buffered is a persistent send that is waited for (MPI-4.0, 3.9); those that must not are halves of a
 * ring of MPI_Send. The twin's ring is broken by one rank that receives first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, late = 0, got, turn = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        turn = status.MPI_SOURCE == 1;
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        turn = 0;
#endif
    } else if (rank == 1) {
        MPI_Send_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Request_free(&request);
    } else {
        MPI_Ssend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Bcast(&turn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0 && !turn)
        MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, (rank + 1) % 3, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
    if (rank != 0 || turn)
        MPI_Recv(&got, 1, MPI_INT, (rank + 2) % 3, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
