/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A receive is open while a communicator is made: what is sent afterwards may be its message, if the
 * standard send before it is kept (MPI-4.0, 3.4). The twin's is synchronous. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value;
    MPI_Comm half;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    if (rank == 1)
#ifdef TWIN
        MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(value == 1); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
