/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The message of rank 1 reaches the wildcard only if MPI buffers it: rank 1 sends it to rank 0 after one that rank 0 receives last.
 * In that order ranks 0 and 2 meet head to head, and deadlock if MPI does not buffer those (MPI-4.0, 3.4 and 3.5). */
#include <mpi.h>

static int big[250000];

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1) {
#ifdef TWIN
            MPI_Sendrecv_replace(big, 250000, MPI_INT, 2, 3, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
            MPI_Send(big, 250000, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
            MPI_Recv(big, 250000, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
            MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(big, 250000, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(big, 250000, MPI_INT, 2, 3, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* must be buffered for the next one to be there in time */
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(big, 250000, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(big, 250000, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
