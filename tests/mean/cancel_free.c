/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A cancelled request may be freed instead of waited for (MPI-4.0, 3.8.4); then nobody knows whether the
 * message was received or is still to come. The twin lets it be sent only when the receive is over. */
/* interleavings 2, twin 1 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, go = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Recv(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Send(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Request_free(&request);
#ifdef TWIN
        MPI_Send(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
    }
    MPI_Finalize();
    return 0;
}
