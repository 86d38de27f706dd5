/* SPDX-License-Identifier: BSD-3-Clause */
/* Written after the texts were: unlike the others. */
#include "causes.h"

#include <pthread.h>

/* A tree: each parent gets what its children have; one more child is expected than there is. */
PROGRAM(tree_has_one_child, 6)
{
    int sum = rank, part;
    for (int child = 2 * rank + 1; child <= 2 * rank + 2; child++)
        if (child < size + BUG(1, 0)) {
            MPI_Recv(&part, 1, MPI_INT, child % size, 0, WORLD, IGNORE); /* CAUSE */
            sum += part;
        }
    if (rank > 0)
        MPI_Send(&sum, 1, MPI_INT, (rank - 1) / 2, 0, WORLD);
}

/* A butterfly: one rank takes another partner in the second stage. */
PROGRAM(butterfly_partner, 8)
{
    int out = rank, in;
    for (int bit = 1; bit < size; bit *= 2) {
        int you = rank ^ (bit == 2 && rank == 5 ? BUG(bit * 2, bit) : bit);
        MPI_Sendrecv(&out, 1, MPI_INT, you, bit, &in, 1, MPI_INT, you, bit, WORLD, IGNORE); /* CAUSE */
    }
}

/* The size goes ahead of the data, with the tag of the data. */
PROGRAM(header_and_data, 2)
{
    int n = 4, data[4] = {0};
    for (int i = 0; i < 3; i++)
        if (rank == 0) {
            MPI_Ssend(&n, 1, MPI_INT, 1, BUG(20, 10), WORLD); /* CAUSE */
            MPI_Ssend(data, n, MPI_INT, 1, 20, WORLD);
        } else {
            MPI_Recv(&n, 1, MPI_INT, 0, 10, WORLD, IGNORE);
            MPI_Recv(data, n, MPI_INT, 0, 20, WORLD, IGNORE);
        }
}

/* Rows and columns of a grid: the second reduction is on the rows again. */
PROGRAM(rows_for_columns, 6)
{
    int x = 1, y, me;
    MPI_Comm row, column;
    MPI_Comm_split(WORLD, rank / 3, rank, &row);
    MPI_Comm_split(WORLD, rank % 3, rank, &column);
    MPI_Comm_rank(column, &me);
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, row);
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, rank == 4 ? BUG(row, column) : column); /* CAUSE */
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
}

/* A server that answers each client once; one of them asks twice. */
PROGRAM(asks_twice, 4)
{
    int x = 0;
    MPI_Status status;
    if (rank == 0)
        for (int i = 1; i < size; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &status);
            MPI_Send(&x, 1, MPI_INT, status.MPI_SOURCE, 2, WORLD);
        }
    else
        for (int i = 0; i < (rank == 3 ? BUG(2, 1) : 1); i++) {
            MPI_Ssend(&x, 1, MPI_INT, 0, 1, WORLD); /* CAUSE */
            MPI_Recv(&x, 1, MPI_INT, 0, 2, WORLD, IGNORE);
        }
}

/* The answer goes to the rank that asked last, not to the one that asked. */
PROGRAM(answers_another, 3)
{
    int x = 0;
    MPI_Status first, last;
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, &first);
        MPI_Recv(&x, 1, MPI_INT, 2, 1, WORLD, &last);
        MPI_Ssend(&x, 1, MPI_INT, BUG(last.MPI_SOURCE, first.MPI_SOURCE), 2, WORLD); /* CAUSE */
        MPI_Ssend(&x, 1, MPI_INT, last.MPI_SOURCE, 2, WORLD);
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 1, WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 2, WORLD, IGNORE);
    }
}

/* Waits for the sends, but not for the receives, before the barrier that tells the others to send. */
PROGRAM(barrier_between_halves, 4)
{
    int in, you = rank ^ 1;
    MPI_Request receive;
    MPI_Irecv(&in, 1, MPI_INT, you, 0, WORLD, &receive);
    if (rank % 2 == 0) {
        if (!repaired)
            MPI_Wait(&receive, IGNORE); /* CAUSE */
        MPI_Barrier(WORLD);
    } else
        MPI_Barrier(WORLD);
    MPI_Ssend(&rank, 1, MPI_INT, you, 0, WORLD);
    MPI_Wait(&receive, IGNORE);
}

/* Bcast of a flag that ends the loop: one rank looks at its own flag. */
PROGRAM(own_flag, 4)
{
    int done = 0;
    for (int i = 0; i < 3 && !done; i++) {
        int mine = (rank == 2 && i == 1);
        MPI_Allreduce(&mine, &done, 1, MPI_INT, MPI_MAX, WORLD); /* CAUSE */
        if (!repaired)
            done = mine;
    }
}

/* Two communicators, freed in another order by one rank. */
PROGRAM(freed_in_other_order, 3)
{
    MPI_Comm a, b;
    MPI_Comm_dup(WORLD, &a);
    MPI_Comm_dup(WORLD, &b);
    MPI_Barrier(rank == 1 ? BUG(b, a) : a); /* CAUSE */
    MPI_Barrier(rank == 1 ? BUG(a, b) : b);
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
}

/* An intercommunicator: the remote rank is named by its rank in the world. */
PROGRAM(remote_rank, 4)
{
    int x = 0, half = rank / 2, me;
    MPI_Comm local, inter;
    MPI_Comm_split(WORLD, half, rank, &local);
    MPI_Intercomm_create(local, 0, WORLD, half ? 0 : 2, 3, &inter);
    MPI_Comm_rank(local, &me);
    if (half == 0)
        MPI_Ssend(&x, 1, MPI_INT, me, 0, inter);
    else
        MPI_Recv(&x, 1, MPI_INT, BUG(1 - me, me), 0, inter, IGNORE); /* CAUSE */
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
}

/* Scatter by hand: the last rank's part is not sent, since the division has no rest. */
PROGRAM(division_has_rest, 4)
{
    int n = 7, data[8] = {0}, each = n / size, parts = BUG(n / (each + 1), size);
    if (rank == 0)
        for (int i = 1; i < parts; i++)
            MPI_Send(data, each, MPI_INT, i, 0, WORLD); /* CAUSE */
    else
        MPI_Recv(data, 8, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Barrier(WORLD);
}

/* A request in a structure that is copied before it is set. */
PROGRAM(waits_for_null, 2)
{
    static int x;
    MPI_Request made = MPI_REQUEST_NULL, copy = made;
    if (rank == 0) {
        MPI_Issend(&x, 1, MPI_INT, 1, 0, WORLD, &made); /* CAUSE */
        MPI_Wait(BUG(&copy, &made), IGNORE);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
}

/* Matched probe: the message is received by an ordinary receive. */
PROGRAM(mprobe_then_recv, 2)
{
    int x = 0;
    MPI_Message message;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 0, WORLD);
    else {
        MPI_Mprobe(0, 0, WORLD, &message, IGNORE); /* CAUSE */
        if (repaired)
            MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
        else
            MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
}

/* A poll for a message of another tag. */
PROGRAM(polls_other_tag, 2)
{
    int x = 0, flag = 0;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 5, WORLD);
    else {
        while (!flag)
            MPI_Iprobe(0, BUG(6, 5), WORLD, &flag, IGNORE); /* CAUSE */
        MPI_Recv(&x, 1, MPI_INT, 0, 5, WORLD, IGNORE);
    }
}

static void *sends_twice(void *tag)
{
    int x = 0;
    for (int i = 0; i < 2; i++)
        MPI_Ssend(&x, 1, MPI_INT, 1, *(int *)tag, WORLD); /* CAUSE of threads_share_tag */
    return NULL;
}

/* Two threads send with one tag, and so are received in place of each other. */
THREADED(threads_share_tag, 2)
{
    int x = 0, tags[2] = {1, BUG(1, 2)};
    pthread_t threads[2];
    for (int i = 0; i < 2 && rank == 0; i++)
        pthread_create(&threads[i], NULL, sends_twice, &tags[i]);
    for (int i = 0; i < 2 && rank == 0; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4 && rank == 1; i++)
        MPI_Recv(&x, 1, MPI_INT, 0, 1 + i % 2, WORLD, IGNORE);
}
