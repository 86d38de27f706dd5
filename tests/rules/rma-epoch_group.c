/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 opens an epoch for rank 1, and accumulates at itself. */
/* Twin: rank 0 opens an epoch for rank 1, and accumulates at it. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int other = 1;
    MPI_Group world, group;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
#ifdef TWIN
        MPI_Accumulate(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
#else
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /* @rma-epoch */
#endif
        MPI_Win_complete(win);
    } else {
        MPI_Group_free(&group);
        other = 0;
        MPI_Group_incl(world, 1, &other, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
