/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 loads what rank 1 puts, before MPI_Win_wait. */
/* Twin: rank 0 loads what rank 1 puts, behind MPI_Win_wait. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    volatile int value = 0, place[2] = {0};
    int zero = 0;
    MPI_Group world, target, origins;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &target);
    MPI_Group_excl(world, 1, &zero, &origins);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_post(origins, 0, win);
#ifdef TWIN
        MPI_Win_wait(win);
        value = place[0];
#else
        value = place[0];
        MPI_Win_wait(win);
#endif
    } else {
        MPI_Win_start(target, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
