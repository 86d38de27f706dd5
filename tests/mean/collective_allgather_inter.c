/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Between two groups data flows from each to the other (MPI-4.0, 6.2.3, 6.7): rank 2 needs none of rank 0, which is in its own.
 * In the twin rank 0 is in the other group. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    int in[3] = {0}, side;
    MPI_Comm local, inter;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    side = rank >= 2;
#else
    side = rank % 2;
#endif
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
#ifdef TWIN
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : 2, 0, &inter);
#else
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, !side, 0, &inter);
#endif
    MPI_Comm_free(&local);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, inter);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, inter);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&inter);
    MPI_Finalize();
    return 0;
}
