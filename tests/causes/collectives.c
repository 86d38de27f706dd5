/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives, and the communicators that they are called on. */
#include "causes.h"

#include <stdlib.h>

PROGRAM(rank_skips_barrier, 4)
{
    if (rank != BUG(2, -1))
        MPI_Barrier(WORLD); /* CAUSE */
}

PROGRAM(only_root_broadcasts, 3)
{
    int x = 0;
    if (rank == 0 || repaired)
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD); /* CAUSE */
    MPI_Barrier(WORLD);
}

PROGRAM(order_of_collectives, 3)
{
    int x = 0, sum = 0;
    if (rank == 1 && !repaired) {
        MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD); /* CAUSE */
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    } else {
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
        MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD);
    }
}

PROGRAM(roots_differ, 4)
{
    int x = 0;
    MPI_Bcast(&x, 1, MPI_INT, BUG(rank / 2, 0), WORLD); /* CAUSE */
}

PROGRAM(operations_differ, 3)
{
    int x = 0, y = 0;
    MPI_Allreduce(&x, &y, 1, MPI_INT, rank == 2 ? BUG(MPI_MAX, MPI_SUM) : MPI_SUM, WORLD); /* CAUSE */
}

PROGRAM(counts_differ, 3)
{
    int x[8] = {0};
    MPI_Bcast(x, rank == 0 ? 8 : BUG(4, 8), MPI_INT, 0, WORLD); /* CAUSE */
}

PROGRAM(types_differ, 3)
{
    double x[2] = {0}, y[2] = {0};
    MPI_Reduce(x, y, 2, rank == 1 ? BUG(MPI_FLOAT, MPI_DOUBLE) : MPI_DOUBLE, MPI_SUM, 0, WORLD); /* CAUSE */
}

PROGRAM(barrier_on_world, 4)
{
    MPI_Comm row;
    MPI_Comm_split(WORLD, rank / 2, rank, &row);
    MPI_Barrier(rank == 3 ? BUG(WORLD, row) : row); /* CAUSE */
    MPI_Comm_free(&row);
}

PROGRAM(split_color, 6)
{
    int x = 0, me;
    MPI_Comm team;
    MPI_Comm_split(WORLD, rank < BUG(4, 3), rank, &team); /* CAUSE */
    MPI_Comm_rank(team, &me);
    if (me == 0)
        for (int i = 0; i < 2; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, team, IGNORE);
    else
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, team);
    MPI_Comm_free(&team);
}

PROGRAM(split_color_steps, 6)
{
    int x = rank, sum = 0;
    MPI_Comm part;
    MPI_Comm_split(WORLD, rank < BUG(2, 3), rank, &part); /* CAUSE */
    for (int i = 0; i < (rank < 3 ? 2 : 3); i++)
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, part);
    MPI_Comm_free(&part);
}

PROGRAM(leaves_loop_early, 4)
{
    double mine = rank, all = 0;
    for (int step = 0; step < 5; step++) {
        if (step == 3 && rank == BUG(3, -1))
            break;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, WORLD); /* CAUSE */
    }
    MPI_Barrier(WORLD);
}

PROGRAM(ibarrier_missing, 3)
{
    MPI_Request request;
    if (rank > 0 || repaired) {
        MPI_Ibarrier(WORLD, &request); /* CAUSE */
        MPI_Wait(&request, IGNORE);
    }
}

PROGRAM(only_some_duplicate, 3)
{
    MPI_Comm copy = MPI_COMM_NULL;
    if (rank < BUG(2, 3))
        MPI_Comm_dup(WORLD, &copy); /* CAUSE */
    if (copy != MPI_COMM_NULL)
        MPI_Comm_free(&copy);
}

PROGRAM(gather_without_root, 4)
{
    int all[4];
    if (rank != 0 || repaired)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, WORLD); /* CAUSE */
    MPI_Barrier(WORLD);
}

PROGRAM(barrier_in_branch, 4)
{
    int x = 0;
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    if (rank % 2 && !repaired)
        MPI_Barrier(WORLD); /* CAUSE */
    MPI_Reduce(rank ? &x : MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, 0, WORLD);
}

PROGRAM(blocking_and_not, 3)
{
    MPI_Request request;
    if (rank == 2 && !repaired) {
        MPI_Ibarrier(WORLD, &request); /* CAUSE */
        MPI_Wait(&request, IGNORE);
    } else
        MPI_Barrier(WORLD);
}

PROGRAM(window_of_root, 2)
{
    MPI_Win window;
    int *memory;
    if (rank == 0 || repaired) {
        MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &window); /* CAUSE */
        MPI_Win_free(&window);
    }
    MPI_Barrier(WORLD);
}

PROGRAM(scatter_parts, 4)
{
    int all[8] = {0}, mine[2];
    MPI_Scatter(all, BUG(1, 2), MPI_INT, mine, 2, MPI_INT, 0, WORLD); /* CAUSE */
}
