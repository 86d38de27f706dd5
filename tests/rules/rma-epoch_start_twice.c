/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 starts a second epoch, the first is open. */
/* Twin: rank 0 starts a second epoch when the first is complete. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int other = 1;
    MPI_Group world, group, zero;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Group_excl(world, 1, &other, &zero);
    for (int i = 0; i < 2 && rank == 1; i++) {
        MPI_Win_post(zero, 0, win);
        MPI_Win_wait(win);
    }
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
#ifdef TWIN
        MPI_Win_complete(win);
        MPI_Win_start(group, 0, win);
#else
        MPI_Win_start(group, 0, win); /* @rma-epoch */
        MPI_Win_complete(win);
#endif
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&zero);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
