/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 0 gives nothing, so nobody need wait for it (MPI-4.0, 6.1, 6.7). In the twin it gives one number. */
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
    int counts[3] = {SOME, 2, 1}, places[3] = {4, 1, 0}, out[2] = {7, 7}, in[5] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(in[0] == 7 && in[1] == 7 && in[2] == 7 && in[4] == 7 * SOME);
    MPI_Finalize();
    return 0;
}
