/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 gets what rank 1 puts, in one epoch. */
/* Twin: rank 2 gets what rank 1 puts, in the next epoch. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int zero = 0, value;
    MPI_Group world, target, origins;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &target);
    MPI_Group_excl(world, 1, &zero, &origins);
    for (int epoch = 0; epoch < 2; epoch++) {
        if (rank == 0) {
            MPI_Win_post(origins, 0, win);
            MPI_Win_wait(win);
            continue;
        }
        MPI_Win_start(target, 0, win);
        if (rank == 1 && epoch == 0)
            MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
#ifdef TWIN
        if (rank == 2 && epoch == 1)
#else
        if (rank == 2 && epoch == 0)
#endif
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
