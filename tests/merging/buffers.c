/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that polls, in the manner of BLACS: what it sends it copies to a buffer of a list, and at each
 * call it tests those that are in use, so as to have them again. What its program does depends on none of
 * that.
 *
 *   buffers N         each rank sends N messages to the next one, and adds up what it gets
 *   buffers N short   ... and gives up if it finds all buffers in use when it sends the last one
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BUFFERS = 2 };

struct buffer {
    struct buffer *next;
    MPI_Request request;
    double data[2];
};

static struct buffer *idle, *active; /* lists */
static bool was_short;

static void begin(void)
{
    for (int i = 0; i < BUFFERS; i++) {
        struct buffer *b = calloc(1, sizeof *b);
        b->next = idle;
        idle = b;
    }
}

static void let_go(struct buffer **at)
{
    struct buffer *b = *at;
    *at = b->next;
    *b = (struct buffer){.next = idle};
    idle = b;
}

/* Whatever can be had again. */
static void look(void)
{
    for (struct buffer **at = &active; *at;) {
        int is;
        MPI_Testall(1, &(*at)->request, &is, MPI_STATUSES_IGNORE);
        if (is)
            let_go(at);
        else
            at = &(*at)->next;
    }
}

static void await_first(void)
{
    MPI_Waitall(1, &active->request, MPI_STATUSES_IGNORE);
    let_go(&active);
}

static void give(double data, int to)
{
    look();
    was_short = !idle;
    if (!idle)
        await_first();
    struct buffer *b = idle, **end = &active;
    idle = b->next;
    b->data[0] = data;
    MPI_Isend(b->data, 2, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &b->request);
    while (*end)
        end = &(*end)->next;
    b->next = NULL;
    *end = b;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double sum = 0, got[2] = {0};
    begin();
    for (int i = 0; i < n; i++) {
        give(rank, (rank + 1) % size);
        MPI_Recv(got, 2, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got[0];
    }
    while (active)
        await_first();
    if (sum != n * ((rank + size - 1) % size) || (argc > 2 && was_short))
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
