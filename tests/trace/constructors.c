/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a communicator by each function whose result only MPI knows, one call a line; 2 ranks. With "late"
 * rank 1 makes no intercommunicator, and rank 0 waits for it. */
#include <mpi.h>
#include <stddef.h>

static MPI_Comm made;

static void drop(void) { MPI_Comm_free(&made); }

static void topologies(int rank)
{
    int dims[] = {2}, periods[] = {0}, remains[] = {1}, index[] = {1, 2}, edges[] = {1, 0};
    int other = 1 - rank, one = 1;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remains, &made);
    drop();
    MPI_Comm_free(&grid);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &made);
    drop();
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    drop();
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &made);
    drop();
}

static void intercommunicators(int rank, const MPI_Group alone[])
{
    MPI_Comm inter;
    MPI_Intercomm_create_from_groups(alone[rank], 0, alone[1 - rank], 0, "two", MPI_INFO_NULL,
                                     MPI_ERRORS_ARE_FATAL, &inter);
    MPI_Intercomm_merge(inter, rank, &made);
    drop();
    MPI_Comm_split(inter, 0, 0, &made);
    drop();
    MPI_Comm_create(inter, alone[rank], &made);
    drop();
    MPI_Comm_free(&inter);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Group all, alone[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = 0; i < 2; i++)
        MPI_Group_incl(all, 1, &i, &alone[i]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    drop();
    topologies(rank);
    if (argc == 1 || rank == 0)
        intercommunicators(rank, alone);
    MPI_Group_free(&all);
    for (int i = 0; i < 2; i++)
        MPI_Group_free(&alone[i]);
    MPI_Finalize();
    return 0;
}
