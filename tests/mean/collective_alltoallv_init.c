/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Persistent, and started twice: in the first round rank 2 takes something of rank 1 only (MPI-4.0, 6.1, 6.13).
 * In the twin of rank 0 as well. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
#ifdef TWIN
    enum { SOME = 1 };
#else
    enum { SOME = 0 };
#endif
    int given[3] = {0}, taken[3] = {0}, places[3] = {0, 1, 2}, out[3] = {3, 3, 3}, in[3] = {0};
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2)
        given[2] = rank == 1 || SOME;
    if (rank == 2)
        taken[0] = SOME, taken[1] = 1;
    MPI_Alltoallv_init(out, given, places, MPI_INT, in, taken, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    taken[0] = taken[1] = given[2] = 9; /* they may be used again (MPI-4.0, 6.13) */
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(rank != 2 || (in[1] == 3 && in[0] == 3 * SOME));
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
