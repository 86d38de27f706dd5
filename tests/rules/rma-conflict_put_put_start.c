/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two ranks put into one place of rank 0 in one epoch. */
/* Twin: two ranks put into two places of rank 0 in one epoch. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    int zero = 0;
    MPI_Group world, target, origins;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &target);
    MPI_Group_excl(world, 1, &zero, &origins);
    if (rank == 0) {
        MPI_Win_post(origins, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(target, 0, win);
#ifdef TWIN
        MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
#else
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* @rma-conflict */
#endif
        MPI_Win_complete(win);
    }
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
