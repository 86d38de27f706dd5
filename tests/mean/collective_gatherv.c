/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root, rank 2, gets nothing of rank 0, and need wait for rank 1 only (MPI-4.0, 6.1, 6.5). */
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
    int counts[3] = {SOME, 1, 1}, places[3] = {2, 1, 0}, in[3] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Gatherv(&rank, counts[rank], MPI_INT, in, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Gatherv(&rank, counts[rank], MPI_INT, in, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(rank != 2 || (in[0] == 2 && in[1] == 1 && in[2] == 0));
    MPI_Finalize();
    return 0;
}
