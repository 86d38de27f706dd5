/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 0 is a neighbour of rank 2, but gives it nothing (MPI-4.0, 6.1, 8.6.2): rank 2 need not wait for it. */
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
    int from = 0, to = 2, some = SOME, zero = 0, out = 8, in = 0;
    MPI_Comm graph;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 2, &from, MPI_UNWEIGHTED, rank == 0, &to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Neighbor_alltoallv(&out, &some, &zero, MPI_INT, &in, &some, &zero, MPI_INT, graph);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Neighbor_alltoallv(&out, &some, &zero, MPI_INT, &in, &some, &zero, MPI_INT, graph);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(rank != 2 || in == 8 * SOME);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
