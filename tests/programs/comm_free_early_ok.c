/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks free many communicators at different times, while receives on them are pending and others are made: all goes
 * where it belongs, though MPI may use what it has of one again for the next. The attributes' delete function runs in
 * MPI_Comm_free itself. */
#include <mpi.h>
#include <stdlib.h>

static int deleted;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void one_round(int rank, int keyval, int round)
{
    int got = -1, sent = round, other = 1 - rank, before = deleted;
    MPI_Comm outer, inner;
    MPI_Request requests[2];

    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_split(outer, 0, other, &inner);
    MPI_Irecv(&got, 1, MPI_INT, rank, 0, inner, &requests[0]); /* the other: ranks are the other way round */
    MPI_Comm_set_attr(outer, keyval, &deleted);
    MPI_Comm_free(&outer);
    if (deleted != before + 1)
        abort();
    MPI_Isend(&sent, 1, MPI_INT, rank, 0, inner, &requests[1]);
    MPI_Comm_free(&inner);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (got != round)
        abort();
}

int main(int argc, char **argv)
{
    int rank, keyval;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL);
    for (int round = 0; round < 50; round++)
        one_round(rank, keyval, round);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}
