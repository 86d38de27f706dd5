/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Two edges from rank 0 to rank 1, of which rank 1 takes the second one first: they pair in their order. */
/* Twin: two edges from rank 0 to rank 1: they pair in their order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, ends[2], none[1] = {0}, counts[2] = {1, 1};
    char out[16] = {0}, in[16];
    MPI_Aint places[2] = {0, 8};
#ifdef TWIN
    MPI_Datatype outs[2] = {MPI_INT, MPI_DOUBLE}, ins[2] = { MPI_INT, MPI_DOUBLE };
#else
    MPI_Datatype outs[2] = {MPI_INT, MPI_DOUBLE}, ins[2] = { MPI_DOUBLE, MPI_INT };
#endif
    MPI_Comm graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ends[0] = ends[1] = 1 - rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 1 ? 2 : 0, rank == 1 ? ends : none, MPI_UNWEIGHTED,
                                   rank == 0 ? 2 : 0, rank == 0 ? ends : none, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoallw(out, counts, places, outs, in, counts, places, ins, graph); /* @type-mismatch */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
