/* SPDX-License-Identifier: BSD-3-Clause */
/* The target posts only after a message that the origin sends after its epoch. MPI_Win_start may block, and so may
 * MPI_Win_complete (MPI-4.0, section 12.5.2). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, other, *memory;
    MPI_Win win;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    other = 1 - rank;
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_start(group, 0, win); /* @deadlock */
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
