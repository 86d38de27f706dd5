/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * A wildcard on an intercommunicator takes a message of any rank of the other group, whose ranks it counts
 * (MPI-4.0, 3.2.4, 7.6): 1 may come first. The twin names 0.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm side, across;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, !rank, 0, &across);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, across);
    } else {
#ifdef TWIN
        MPI_Recv(&value, 1, MPI_INT, 0, 0, across, &status);
#else
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, across, &status);
#endif
        assert(status.MPI_SOURCE == 0 && value == 1); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, 1, 0, across, &status);
    }
    MPI_Comm_free(&across);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
