/* SPDX-License-Identifier: BSD-3-Clause */
/* How often calls are made, and who leaves early. */
#include "causes.h"

enum { WORK = 1, RESULT = 2, STOP = 3 };

PROGRAM(one_result_too_few, 4)
{
    int x = 0;
    if (rank == 0)
        for (int i = 1; i < size - BUG(1, 0); i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, WORLD, IGNORE); /* CAUSE */
    else
        MPI_Ssend(&x, 1, MPI_INT, 0, RESULT, WORLD);
    MPI_Barrier(WORLD);
}

PROGRAM(one_result_too_many, 4)
{
    int x = 0;
    if (rank == 0)
        for (int i = BUG(0, 1); i < size; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, WORLD, IGNORE); /* CAUSE */
    else
        MPI_Send(&x, 1, MPI_INT, 0, RESULT, WORLD);
}

PROGRAM(worker_stops_early, 2)
{
    int x = 0;
    for (int i = 0; i < 5; i++) {
        if (rank == 0)
            MPI_Ssend(&x, 1, MPI_INT, 1, WORK, WORLD);
        else if (i < BUG(4, 5))
            MPI_Recv(&x, 1, MPI_INT, 0, WORK, WORLD, IGNORE); /* CAUSE */
    }
}

PROGRAM(master_returns_early, 3)
{
    int x = 0;
    MPI_Status status;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Send(&x, 1, MPI_INT, i, WORK, WORLD);
        for (int i = 1; i < size; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, WORLD, &status); /* CAUSE */
            if (!repaired)
                return;
        }
        for (int i = 1; i < size; i++)
            MPI_Send(&x, 1, MPI_INT, i, STOP, WORLD);
        return;
    }
    for (;;) {
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        MPI_Ssend(&x, 1, MPI_INT, 0, RESULT, WORLD);
    }
}

PROGRAM(last_is_not_stopped, 4)
{
    int x = 0;
    MPI_Status status;
    if (rank == 0)
        for (int i = 1; i < size - BUG(1, 0); i++)
            MPI_Send(&x, 1, MPI_INT, i, STOP, WORLD); /* CAUSE */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &status);
}

PROGRAM(stop_has_other_tag, 3)
{
    int x = 0;
    MPI_Status status;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Send(&x, 1, MPI_INT, i, WORK, WORLD);
        for (int i = 1; i < size; i++)
            MPI_Ssend(&x, 1, MPI_INT, i, BUG(STOP + 1, STOP), WORLD); /* CAUSE */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, WORK, WORLD, &status);
        MPI_Recv(&x, 1, MPI_INT, 0, STOP, WORLD, &status);
    }
}

PROGRAM(one_task_too_few, 3)
{
    int x = 0, y = 0, tasks = rank == 0 ? BUG(3, 4) : 2;
    MPI_Request sends[4];
    if (rank == 0) {
        for (int i = 0; i < tasks; i++)
            MPI_Isend(&x, 1, MPI_INT, 1 + i % 2, WORK, WORLD, &sends[i]); /* CAUSE */
        for (int i = 0; i < 4; i++)
            MPI_Recv(&y, 1, MPI_INT, 1 + i % 2, RESULT, WORLD, IGNORE);
        MPI_Waitall(tasks, sends, MPI_STATUSES_IGNORE);
    } else
        for (int i = 0; i < tasks; i++) {
            MPI_Recv(&x, 1, MPI_INT, 0, WORK, WORLD, IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, RESULT, WORLD);
        }
}

PROGRAM(one_step_less, 4)
{
    int out = rank, in = 0, steps = rank == 2 ? BUG(4, 5) : 5;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(returns_before_barrier, 4)
{
    int x = 0, failed = rank == BUG(1, -1);
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    if (failed)
        return;
    MPI_Barrier(WORLD); /* CAUSE */
}

PROGRAM(token_is_not_passed, 4)
{
    int token = 0;
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_INT, 1, 0, WORLD);
        MPI_Recv(&token, 1, MPI_INT, size - 1, 0, WORLD, IGNORE);
    } else {
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, WORLD, IGNORE);
        if (rank < size - BUG(1, 0))
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, WORLD); /* CAUSE */
    }
}

PROGRAM(master_skips_a_worker, 5)
{
    int x = 0;
    if (rank == 0) {
        for (int i = BUG(2, 1); i < size; i++)
            MPI_Recv(&x, 1, MPI_INT, i, RESULT, WORLD, IGNORE); /* CAUSE */
    } else
        MPI_Ssend(&x, 1, MPI_INT, 0, RESULT, WORLD);
}

PROGRAM(half_of_the_ranks, 5)
{
    int x = 0, half = size / 2;
    if (rank < half)
        MPI_Send(&x, 1, MPI_INT, rank + half, 0, WORLD);
    else if (rank < size - BUG(0, 1))
        MPI_Recv(&x, 1, MPI_INT, rank - half, 0, WORLD, IGNORE); /* CAUSE */
}
