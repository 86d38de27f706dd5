/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root has nothing for rank 2, which therefore need not wait for it (MPI-4.0, 6.1, 6.6). */
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
    int counts[3] = {1, 1, SOME}, places[3] = {0, 1, 2}, out[3] = {4, 5, 6}, in = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Scatterv(out, counts, places, MPI_INT, &in, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Scatterv(out, counts, places, MPI_INT, &in, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(in == (rank == 2 ? 6 * SOME : 4 + rank));
    MPI_Finalize();
    return 0;
}
