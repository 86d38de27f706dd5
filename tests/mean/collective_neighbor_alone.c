/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Rank 2 has no neighbours: MPI_Neighbor_allgather has nothing to wait for there (MPI-4.0, 8.6), and what
 * it sends afterwards may be the first message that rank 0 gets. Then rank 1, whose send may wait (3.4), is
 * missing in the collective of rank 0. In the twin both are sent and received before.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, neighbour, from = -1, value;
    MPI_Comm graph;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    neighbour = !rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank < 2, &neighbour, MPI_UNWEIGHTED, rank < 2, &neighbour,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
#ifndef TWIN
    if (rank == 2)
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, &from, 1, MPI_INT, graph);
#endif
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    else
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    if (rank < 2)
#endif
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, &from, 1, MPI_INT, graph);
#ifndef TWIN
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
