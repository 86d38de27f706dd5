/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 takes something of itself only, so it need not wait for anybody (MPI-4.0, 6.1, 6.9), and its message may come first.
 * The twin has it take something of rank 0. */
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
    int given[3] = {0}, taken[3] = {0}, zero[3] = {0}, places[3] = {0, 1, 2}, out = 1, in[3] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    given[rank] = taken[rank] = 1;
    if (rank == 0)
        given[2] = SOME;
    if (rank == 2)
        taken[0] = SOME;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Alltoallv(&out, given, zero, MPI_INT, in, taken, places, MPI_INT, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Alltoallv(&out, given, zero, MPI_INT, in, taken, places, MPI_INT, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(in[rank] == 1);
    MPI_Finalize();
    return 0;
}
