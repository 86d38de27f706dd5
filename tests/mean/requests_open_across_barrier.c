/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The receive is open while all meet: it may take the message that is sent after the barrier, if the
 * standard send before it is kept (MPI-4.0, 3.4). A synchronous send is over before the barrier, as in the
 * twin. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value;
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
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(value == 1); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
