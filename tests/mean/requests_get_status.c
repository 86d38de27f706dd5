/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_Request_get_status may find the request complete at once (MPI-4.0, 3.7.6). In the twin its message is
 * sent only afterwards. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value, done;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
        assert(!done); /* @assertion */
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
#ifdef TWIN
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    return 0;
}
