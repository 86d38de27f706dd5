/* SPDX-License-Identifier: BSD-3-Clause */
/* Tags, ranks and communicators of messages. */
#include "causes.h"

PROGRAM(tag_differs, 2)
{
    double x[4] = {0};
    if (rank == 0)
        MPI_Ssend(x, 4, MPI_DOUBLE, 1, BUG(13, 12), WORLD); /* CAUSE */
    else
        MPI_Recv(x, 4, MPI_DOUBLE, 0, 12, WORLD, IGNORE);
}

PROGRAM(reply_tag, 2)
{
    int job = 0, result = 0;
    for (int i = 0; i < 3; i++)
        if (rank == 0) {
            MPI_Send(&job, 1, MPI_INT, 1, 1, WORLD);
            MPI_Recv(&result, 1, MPI_INT, 1, 2, WORLD, IGNORE);
        } else {
            MPI_Recv(&job, 1, MPI_INT, 0, 1, WORLD, IGNORE);
            MPI_Send(&result, 1, MPI_INT, 0, BUG(1, 2), WORLD); /* CAUSE */
        }
}

PROGRAM(tag_of_step, 2)
{
    int x = 0;
    for (int step = 0; step < 4; step++)
        if (rank == 0) {
            MPI_Send(&x, 1, MPI_INT, 1, 100 + step, WORLD);
            MPI_Recv(&x, 1, MPI_INT, 1, 200 + step, WORLD, IGNORE);
        } else {
            MPI_Recv(&x, 1, MPI_INT, 0, 100 + step, WORLD, IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, 200 + (step < 2 ? step : BUG(step - 1, step)), WORLD); /* CAUSE */
        }
}

PROGRAM(other_communicator, 2)
{
    int x = 0;
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 5, copy);
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 5, BUG(WORLD, copy), IGNORE); /* CAUSE */
    MPI_Comm_free(&copy);
}

PROGRAM(other_communicator_cycle, 2)
{
    int x = 0;
    MPI_Comm data, control;
    MPI_Comm_dup(WORLD, &data);
    MPI_Comm_dup(WORLD, &control);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, data);
        MPI_Recv(&x, 1, MPI_INT, 1, 0, control, IGNORE);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, BUG(control, data), IGNORE); /* CAUSE */
        MPI_Send(&x, 1, MPI_INT, 0, 0, control);
    }
    MPI_Comm_free(&control);
    MPI_Comm_free(&data);
}

PROGRAM(wrong_source, 4)
{
    int x = rank, left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request send;
    MPI_Isend(&rank, 1, MPI_INT, right, 0, WORLD, &send);
    MPI_Recv(&x, 1, MPI_INT, BUG(right, left), 0, WORLD, IGNORE); /* CAUSE */
    MPI_Wait(&send, IGNORE);
}

PROGRAM(wrong_target, 4)
{
    int x = 0;
    if (rank > 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, WORLD, IGNORE);
    if (rank < size - 1)
        MPI_Ssend(&x, 1, MPI_INT, rank == 1 ? BUG(3, 2) : rank + 1, 0, WORLD); /* CAUSE */
}

PROGRAM(sendrecv_tags, 2)
{
    int out = rank, in = 0;
    int you = 1 - rank, expected = BUG(rank, you);
    MPI_Sendrecv(&out, 1, MPI_INT, you, rank, &in, 1, MPI_INT, you, expected, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(sendrecv_shift, 5)
{
    int out = rank, in = 0, left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, BUG(right, left), 0, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(sendrecv_open_end, 4)
{
    int out = rank, in = 0;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : BUG(0, MPI_PROC_NULL);
    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(null_source, 4)
{
    int out = rank, in = 0;
    int left = rank > BUG(1, 0) ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 7, &in, 1, MPI_INT, left, 7, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(null_target, 4)
{
    int x = 0;
    if (rank > 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 3, WORLD, IGNORE);
    MPI_Send(&x, 1, MPI_INT, rank < size - BUG(2, 1) ? rank + 1 : MPI_PROC_NULL, 3, WORLD); /* CAUSE */
}

/* A neighbour that is looked up, and is not found. */
PROGRAM(null_send, 2)
{
    int x = rank, owner = BUG(MPI_PROC_NULL, 0);
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Recv(&x, 1, MPI_INT, 1, i, WORLD, IGNORE);
        else
            MPI_Send(&x, 1, MPI_INT, i == 1 ? owner : 0, i, WORLD); /* CAUSE */
}

PROGRAM(null_receive, 3)
{
    int x = rank, owner = BUG(MPI_PROC_NULL, 0);
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 2, 4, WORLD);
    if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, owner, 4, WORLD, IGNORE); /* CAUSE */
    MPI_Barrier(WORLD);
}

PROGRAM(null_probe, 2)
{
    int x = rank, n = 0, owner = BUG(MPI_PROC_NULL, 0);
    MPI_Status status;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 9, WORLD);
    else {
        MPI_Probe(owner, 9, WORLD, &status); /* CAUSE */
        MPI_Get_count(&status, MPI_INT, &n);
        if (n > 0)
            MPI_Recv(&x, n, MPI_INT, owner, 9, WORLD, IGNORE);
    }
}

PROGRAM(null_half, 3)
{
    int out = rank, in = 0, left = (rank + 2) % 3, right = (rank + 1) % 3, to = BUG(MPI_PROC_NULL, right);
    if (rank == 1)
        MPI_Sendrecv(&out, 1, MPI_INT, to, 5, &in, 1, MPI_INT, left, 5, WORLD, IGNORE); /* CAUSE */
    else
        MPI_Sendrecv(&out, 1, MPI_INT, right, 5, &in, 1, MPI_INT, left, 5, WORLD, IGNORE);
}

PROGRAM(world_rank_in_half, 4)
{
    int x = 0, me;
    MPI_Comm half;
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &me);
    if (me == 0)
        MPI_Ssend(&x, 1, MPI_INT, BUG(rank, 1), 0, half); /* CAUSE */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, half, IGNORE);
    MPI_Comm_free(&half);
}

PROGRAM(any_tag_steals, 2)
{
    int head = 0, data[8] = {0};
    if (rank == 0) {
        MPI_Ssend(data, 8, MPI_INT, 1, 2, WORLD);
        MPI_Ssend(&head, 1, MPI_INT, 1, 1, WORLD);
    } else {
        MPI_Recv(data, 8, MPI_INT, 0, BUG(MPI_ANY_TAG, 2), WORLD, IGNORE); /* CAUSE */
        MPI_Recv(data, 8, MPI_INT, 0, BUG(2, 1), WORLD, IGNORE);
    }
}

PROGRAM(any_source_steals, 3)
{
    int x = 0;
    if (rank > 0)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    else {
        MPI_Recv(&x, 1, MPI_INT, BUG(MPI_ANY_SOURCE, 1), 0, WORLD, IGNORE); /* CAUSE */
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);
    }
}

PROGRAM(receive_steals_probe, 2)
{
    int x = 0, y = 0;
    MPI_Request early;
    MPI_Status status;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 4, WORLD);
    else {
        MPI_Irecv(&y, 1, MPI_INT, 0, 4, WORLD, &early); /* CAUSE */
        if (!repaired)
            MPI_Probe(0, 4, WORLD, &status);
        MPI_Wait(&early, IGNORE);
    }
}

PROGRAM(probe_tag, 2)
{
    int x = 0;
    MPI_Status status;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 4, WORLD);
    else {
        MPI_Probe(0, BUG(3, 4), WORLD, &status); /* CAUSE */
        MPI_Recv(&x, 1, MPI_INT, 0, 4, WORLD, IGNORE);
    }
}

PROGRAM(waitall_tag, 4)
{
    int out = rank, in[2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request all[4];
    MPI_Irecv(&in[0], 1, MPI_INT, left, 1, WORLD, &all[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, right, 2, WORLD, &all[1]);
    MPI_Isend(&out, 1, MPI_INT, right, 1, WORLD, &all[2]);
    MPI_Isend(&out, 1, MPI_INT, left, BUG(1, 2), WORLD, &all[3]); /* CAUSE */
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}

PROGRAM(detach_waits, 2)
{
    static char space[4096];
    int x = 0, bytes;
    void *old;
    if (rank == 0) {
        MPI_Buffer_attach(space, sizeof space);
        MPI_Bsend(&x, 1, MPI_INT, 1, BUG(9, 8), WORLD); /* CAUSE */
        MPI_Buffer_detach(&old, &bytes);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 8, WORLD, IGNORE);
}

PROGRAM(grid_neighbour, 6)
{
    int dims[2] = {3, 2}, periods[2] = {0, 0}, at[2], in = 0, west, east;
    MPI_Comm grid;
    MPI_Cart_create(WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_shift(grid, 0, 1, &west, &east);
    if (at[0] > 0)
        MPI_Recv(&in, 1, MPI_INT, BUG(rank - 1, west), 0, grid, IGNORE); /* CAUSE */
    MPI_Ssend(&in, 1, MPI_INT, east, 0, grid);
    MPI_Comm_free(&grid);
}
