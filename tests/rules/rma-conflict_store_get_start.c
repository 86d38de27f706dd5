/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 stores where rank 1 gets, behind MPI_Win_post. */
/* Twin: rank 0 stores where rank 1 gets, before MPI_Win_post. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    volatile int place[2] = {0};
    int zero = 0, value;
    MPI_Group world, target, origins;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &target);
    MPI_Group_excl(world, 1, &zero, &origins);
    MPI_Win_create((void *)place, sizeof place, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
#ifdef TWIN
        place[0] = 3;
        MPI_Win_post(origins, 0, win);
#else
        MPI_Win_post(origins, 0, win);
        place[0] = 3;
#endif
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(target, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
