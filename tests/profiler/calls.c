/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call that the profiler models, on two ranks, with what the standard says of its outcome. */
#include <string.h>

#include "check.h"

#define WORLD MPI_COMM_WORLD

static int rank, other;

static int count_of(MPI_Status *s, MPI_Datatype type)
{
    int n;
    MPI_Get_count(s, type, &n);
    return n;
}

static void check_empty(MPI_Status *s)
{
    CHECK_EQUAL(s->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQUAL(s->MPI_TAG, MPI_ANY_TAG);
    CHECK_EQUAL(count_of(s, MPI_INT), 0);
}

static void check_proc_null(MPI_Status *s)
{
    CHECK_EQUAL(s->MPI_SOURCE, MPI_PROC_NULL);
    CHECK_EQUAL(s->MPI_TAG, MPI_ANY_TAG);
    CHECK_EQUAL(count_of(s, MPI_INT), 0);
}

static void blocking(void)
{
    int x[2] = {10 + rank, 20 + rank}, y[4] = {0};
    MPI_Status s;
    char room[4096];
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0) {
        MPI_Send(x, 2, MPI_INT, 1, 1, WORLD);
        MPI_Ssend(x, 1, MPI_INT, 1, 2, WORLD);
        MPI_Bsend(x, 2, MPI_INT, 1, 3, WORLD);
        x[0] = -1; /* the message has its own copy */
        MPI_Rsend(x, 0, MPI_INT, 1, 4, WORLD);
        MPI_Send_c(x, 1, MPI_INT, 1, 5, WORLD);
    } else {
        MPI_Recv(y, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s);
        CHECK_EQUAL(s.MPI_SOURCE, 0);
        CHECK_EQUAL(s.MPI_TAG, 1);
        CHECK_EQUAL(count_of(&s, MPI_INT), 2);
        CHECK_EQUAL(y[1], 20);
        MPI_Recv(y, 4, MPI_INT, 0, 2, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(y, 4, MPI_INT, 0, 4, WORLD, &s);
        CHECK_EQUAL(count_of(&s, MPI_INT), 0);
        MPI_Recv(y, 4, MPI_INT, 0, 3, WORLD, &s);
        CHECK_EQUAL(y[0], 10);
        MPI_Recv_c(y, 4, MPI_INT, 0, 5, WORLD, &s);
    }
    void *where;
    int size;
    MPI_Buffer_detach(&where, &size);
    CHECK_EQUAL(size, sizeof room);
    CHECK_EQUAL(where == room, 1);
    MPI_Send(x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD);
    MPI_Recv(y, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &s);
    check_proc_null(&s);
}

static void exchanges(void)
{
    int x = rank, y = -1;
    MPI_Status s;
    MPI_Sendrecv(&x, 1, MPI_INT, other, 0, &y, 1, MPI_INT, other, 0, WORLD, &s);
    CHECK_EQUAL(y, other);
    CHECK_EQUAL(s.MPI_SOURCE, other);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, other, 5, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s);
    CHECK_EQUAL(x, other);
    CHECK_EQUAL(s.MPI_TAG, 5);
    MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, &y, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &s);
    check_proc_null(&s);
    MPI_Sendrecv(&x, 1, MPI_INT, rank ? 0 : MPI_PROC_NULL, 0, &y, 1, MPI_INT, rank ? MPI_PROC_NULL : 1, 0,
                 WORLD, &s);
    CHECK_EQUAL(s.MPI_SOURCE, rank ? MPI_PROC_NULL : 1);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, 1, &y, 1, MPI_INT, rank, 1, WORLD, &s); /* with itself */
    CHECK_EQUAL(y, rank);
}

static void nonblocking(void)
{
    enum { N = 300 }; /* more than one block of slots */
    int x[N], y[N], flag, n, at[N];
    MPI_Request q[2 * N], one;
    MPI_Status s, ss[2 * N];
    for (int i = 0; i < N; i++) {
        x[i] = 1000 * rank + i;
        MPI_Irecv(&y[i], 1, MPI_INT, other, i, WORLD, &q[i]);
    }
    for (int i = 0; i < N; i++)
        MPI_Isend(&x[i], 1, MPI_INT, other, i, WORLD, &q[N + i]);
    MPI_Waitall(2 * N, q, ss);
    for (int i = 0; i < N; i++) {
        CHECK_EQUAL(y[i], 1000 * other + i);
        CHECK_EQUAL(ss[i].MPI_TAG, i);
        CHECK_EQUAL(q[i], MPI_REQUEST_NULL);
    }
    MPI_Wait(&q[0], &s);
    check_empty(&s);
    MPI_Waitany(2, q, &n, &s);
    CHECK_EQUAL(n, MPI_UNDEFINED);
    MPI_Waitsome(2, q, &n, at, ss);
    CHECK_EQUAL(n, MPI_UNDEFINED);
    MPI_Testall(2, q, &flag, ss);
    CHECK_EQUAL(flag, 1);

    MPI_Issend(x, 1, MPI_INT, other, 1, WORLD, &q[0]);
    MPI_Irsend(x, 1, MPI_INT, other, 2, WORLD, &q[2]);
    q[1] = MPI_REQUEST_NULL;
    MPI_Irecv(&y[0], 1, MPI_INT, other, 1, WORLD, &q[3]);
    MPI_Irecv(&y[1], 1, MPI_INT, other, 2, WORLD, &q[4]);
    MPI_Irecv(&y[2], 1, MPI_INT, MPI_PROC_NULL, 2, WORLD, &q[5]);
    int left = 5, seen = 0;
    while (left > 1) {
        MPI_Waitany(6, q, &n, &s);
        CHECK_EQUAL(n == 1 || n < 0 || n > 5, 0);
        CHECK_EQUAL(q[n], MPI_REQUEST_NULL);
        if (n == 5)
            check_proc_null(&s);
        seen |= 1 << n;
        left--;
    }
    MPI_Waitsome(6, q, &n, at, ss);
    CHECK_EQUAL(n, 1);
    CHECK_EQUAL(seen | 1 << at[0], 0x3d);

    MPI_Irecv(&y[0], 1, MPI_INT, other, 9, WORLD, &one);
    MPI_Test(&one, &flag, &s);
    CHECK_EQUAL(flag, 0);
    MPI_Testany(1, &one, &n, &flag, &s);
    CHECK_EQUAL(flag, 0);
    MPI_Testsome(1, &one, &n, at, ss);
    CHECK_EQUAL(n, 0);
    MPI_Barrier(WORLD);
    MPI_Send(x, 1, MPI_INT, rank ? 0 : MPI_PROC_NULL, 9, WORLD);
    if (rank == 0) {
        do
            MPI_Request_get_status(one, &flag, &s);
        while (!flag);
        CHECK_EQUAL(s.MPI_TAG, 9);
        CHECK_EQUAL(y[0], 1000);
        MPI_Test(&one, &flag, &s);
        CHECK_EQUAL(flag, 1);
    } else {
        int cancelled;
        MPI_Cancel(&one);
        MPI_Wait(&one, &s);
        MPI_Test_cancelled(&s, &cancelled);
        CHECK_EQUAL(cancelled, 1);
    }
    CHECK_EQUAL(one, MPI_REQUEST_NULL);

    x[0] = 77;
    MPI_Isend(x, 1, MPI_INT, other, 0, WORLD, &one);
    MPI_Request_free(&one);
    CHECK_EQUAL(one, MPI_REQUEST_NULL);
    MPI_Recv(y, 1, MPI_INT, other, 0, WORLD, &s);
    CHECK_EQUAL(y[0], 77);
}

static void joined(void)
{
    int x = rank, y = -1, flag;
    MPI_Request q[2];
    MPI_Status s, ss[2];
    MPI_Isendrecv(&x, 1, MPI_INT, other, 0, &y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &q[0]);
    MPI_Wait(&q[0], &s);
    CHECK_EQUAL(q[0], MPI_REQUEST_NULL);
    CHECK_EQUAL(y, other);
    CHECK_EQUAL(s.MPI_SOURCE, other);
    MPI_Isendrecv_replace(&x, 1, MPI_INT, other, 1, other, 1, WORLD, &q[0]);
    MPI_Isendrecv_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &y, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &q[1]);
    do
        MPI_Request_get_status(q[1], &flag, &s);
    while (!flag);
    check_proc_null(&s);
    MPI_Waitall(2, q, ss);
    CHECK_EQUAL(x, other);
    CHECK_EQUAL(ss[0].MPI_TAG, 1);
    x = rank;
    MPI_Isendrecv(&x, 1, MPI_INT, other, 2, &y, 1, MPI_INT, rank, 3, WORLD, &q[0]);
    MPI_Request_free(&q[0]); /* both halves go on */
    MPI_Isendrecv(&x, 1, MPI_INT, rank, 3, &y, 1, MPI_INT, other, 2, WORLD, &q[0]);
    MPI_Wait(&q[0], &s);
    CHECK_EQUAL(s.MPI_TAG, 2);
}

static void partitioned(void)
{
    enum { PARTS = 4, EACH = 3, N = PARTS * EACH };
    int x[N], y[N], z[N], flag;
    MPI_Request send[2], receive[2];
    MPI_Status s, ss[2];
    for (int i = 0; i < 2; i++) {
        MPI_Psend_init(x, PARTS, EACH, MPI_INT, other, 5, WORLD, MPI_INFO_NULL, &send[i]);
        MPI_Precv_init(i ? z : y, 1, N, MPI_INT, other, 5, WORLD, MPI_INFO_NULL, &receive[i]);
    }
    MPI_Parrived(receive[0], 0, &flag);
    CHECK_EQUAL(flag, 1); /* inactive */
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++)
            x[i] = 100 * round + i, y[i] = z[i] = -1;
        MPI_Start(&receive[1]);
        MPI_Startall(2, send);
        MPI_Start(&receive[0]);
        MPI_Pready(2, send[1]);
        MPI_Pready_range(0, 1, send[1]);
        MPI_Parrived(receive[1], 0, &flag);
        CHECK_EQUAL(flag, 0);
        MPI_Barrier(WORLD);
        MPI_Send(x, 1, MPI_INT, rank ? 0 : MPI_PROC_NULL, 5, WORLD); /* no partitioned receive takes this */
        if (rank == 0)
            MPI_Recv(&flag, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s);
        MPI_Pready_list(1, (int[]){3}, send[1]);
        do
            MPI_Parrived(receive[1], 0, &flag);
        while (!flag);
        MPI_Wait(&receive[1], &s);
        CHECK_EQUAL(s.MPI_SOURCE, other);
        CHECK_EQUAL(s.MPI_TAG, 5);
        CHECK_EQUAL(count_of(&s, MPI_INT), N);
        CHECK_EQUAL(z[N - 1], 100 * round + N - 1);
        CHECK_EQUAL(y[N - 1], -1); /* the first pair of requests is another one */
        MPI_Barrier(WORLD);
        MPI_Pready_range(0, PARTS - 1, send[0]);
        MPI_Waitall(2, send, ss);
        MPI_Wait(&receive[0], &s);
        CHECK_EQUAL(y[N - 1], 100 * round + N - 1);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&send[i]);
        MPI_Request_free(&receive[i]);
    }
}

/* A generalized request over a receive: what the program's functions were called for is noted. */
static struct {
    MPI_Request inner, outer;
    int value, queried, freed, cancelled;
} work;

static int query(void *state, MPI_Status *s)
{
    CHECK_EQUAL(state == &work, 1);
    MPI_Status_set_elements(s, MPI_INT, 7);
    MPI_Status_set_cancelled(s, 0);
    s->MPI_SOURCE = MPI_UNDEFINED;
    s->MPI_TAG = 42;
    work.queried++;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    MPI_Status s;
    MPI_Probe(MPI_PROC_NULL, 0, WORLD, &s); /* it may call MPI */
    work.freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    CHECK_EQUAL(complete, 0);
    work.cancelled++;
    return MPI_SUCCESS;
}

static int wait_for(int n, void **states, double timeout, MPI_Status *unused)
{
    CHECK_EQUAL(n, 1);
    MPI_Status s;
    MPI_Wait(&work.inner, &s);
    CHECK_EQUAL(s.MPI_SOURCE, other);
    return MPI_Grequest_complete(work.outer);
}

static int poll_for(void *state, MPI_Status *unused)
{
    int flag;
    MPI_Test(&work.inner, &flag, MPI_STATUS_IGNORE);
    return flag ? MPI_Grequest_complete(work.outer) : MPI_SUCCESS;
}

static void generalized(void)
{
    int flag, index;
    MPI_Request q[2];
    MPI_Status s, ss[2];
    MPI_Grequest_start(query, release, cancel, &work, &q[0]);
    MPI_Test(&q[0], &flag, &s);
    CHECK_EQUAL(flag, 0);
    MPI_Cancel(&q[0]);
    CHECK_EQUAL(work.cancelled, 1);
    MPI_Grequest_complete(q[0]);
    MPI_Request_get_status(q[0], &flag, &s);
    CHECK_EQUAL(flag + work.queried, 2);
    MPI_Wait(&q[0], &s);
    CHECK_EQUAL(q[0], MPI_REQUEST_NULL);
    CHECK_EQUAL(s.MPI_TAG, 42);
    CHECK_EQUAL(count_of(&s, MPI_INT), 7);
    CHECK_EQUAL(work.queried * 10 + work.freed, 21);

    MPI_Grequest_start(query, release, cancel, &work, &q[0]);
    q[1] = q[0];
    MPI_Request_free(&q[0]);
    CHECK_EQUAL(work.freed, 1); /* not before it is complete */
    MPI_Grequest_complete(q[1]);
    CHECK_EQUAL(work.freed, 2);

    for (int i = 0; i < 2; i++) {
        int x = 70 + rank;
        MPI_Irecv(&work.value, 1, MPI_INT, other, 8, WORLD, &work.inner);
        MPIX_Grequest_start(query, release, cancel, poll_for, i ? NULL : wait_for, &work, &work.outer);
        MPI_Isend(&x, 1, MPI_INT, other, 8, WORLD, &q[1]);
        q[0] = work.outer;
        if (i) {
            do
                MPI_Testany(2, q, &index, &flag, &s);
            while (!flag || index != 0);
            MPI_Wait(&q[1], &s);
        } else {
            MPI_Waitall(2, q, ss);
            CHECK_EQUAL(ss[0].MPI_TAG, 42);
        }
        CHECK_EQUAL(work.value, 70 + other);
        CHECK_EQUAL(work.freed, 3 + i);
    }
}

static void persistent(void)
{
    int x = 0, y = -1, flag;
    MPI_Request q[2];
    MPI_Status s, ss[2];
    MPI_Send_init(&x, 1, MPI_INT, other, 3, WORLD, &q[0]);
    MPI_Recv_init(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, WORLD, &q[1]);
    MPI_Wait(&q[0], &s);
    check_empty(&s);
    for (int i = 0; i < 3; i++) {
        x = 10 * i + rank;
        MPI_Startall(2, q);
        MPI_Waitall(2, q, ss);
        CHECK_EQUAL(y, 10 * i + other);
        CHECK_EQUAL(q[0] == MPI_REQUEST_NULL, 0);
    }
    MPI_Test(&q[1], &flag, &s);
    CHECK_EQUAL(flag, 1);
    x = 5;
    MPI_Start(&q[1]);
    MPI_Start(&q[0]);
    MPI_Wait(&q[1], &s);
    CHECK_EQUAL(s.MPI_SOURCE, other);
    CHECK_EQUAL(y, 5);
    MPI_Wait(&q[0], &s);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    CHECK_EQUAL(q[1], MPI_REQUEST_NULL);
}

static void probes(void)
{
    int x[3] = {1, 2, 3}, y[3], flag;
    MPI_Message m;
    MPI_Request q;
    MPI_Status s;
    if (rank == 0) {
        for (int tag = 0; tag < 4; tag++)
            MPI_Send(x, 3, MPI_INT, 1, tag, WORLD);
    } else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s);
        CHECK_EQUAL(s.MPI_SOURCE, 0);
        CHECK_EQUAL(count_of(&s, MPI_INT), 3);
        MPI_Iprobe(0, 99, WORLD, &flag, &s);
        CHECK_EQUAL(flag, 0);
        MPI_Recv(y, 3, MPI_INT, 0, 0, WORLD, &s);
        do
            MPI_Iprobe(0, 1, WORLD, &flag, &s);
        while (!flag);
        MPI_Recv(y, 3, MPI_INT, 0, 1, WORLD, &s);
        MPI_Mprobe(0, MPI_ANY_TAG, WORLD, &m, &s);
        CHECK_EQUAL(s.MPI_TAG, 2);
        y[2] = 0;
        MPI_Mrecv(y, 3, MPI_INT, &m, &s);
        CHECK_EQUAL(m, MPI_MESSAGE_NULL);
        CHECK_EQUAL(s.MPI_TAG, 2);
        CHECK_EQUAL(y[2], 3);
        do
            MPI_Improbe(0, 3, WORLD, &flag, &m, &s);
        while (!flag);
        MPI_Imrecv(y, 3, MPI_INT, &m, &q);
        MPI_Wait(&q, &s);
        CHECK_EQUAL(s.MPI_TAG, 3);
    }
    MPI_Mprobe(MPI_PROC_NULL, 0, WORLD, &m, &s);
    CHECK_EQUAL(m, MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(y, 3, MPI_INT, &m, &s);
    check_proc_null(&s);
}

static void communicators(void)
{
    MPI_Comm dup, split, none, made, alone;
    MPI_Group all, mine;
    MPI_Request q;
    MPI_Status s;
    int x = rank, y = -1, r, n;
    MPI_Comm_dup(WORLD, &dup);
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, dup, &q);
    MPI_Send(&x, 1, MPI_INT, other, 0, dup); /* in its own world: not received in WORLD */
    MPI_Wait(&q, &s);
    CHECK_EQUAL(y, other);
    MPI_Irecv(&y, 1, MPI_INT, other, 1, dup, &q);
    MPI_Comm_free(&dup); /* the receive is pending */
    CHECK_EQUAL(dup, MPI_COMM_NULL);
    MPI_Cancel(&q);
    MPI_Wait(&q, &s);

    MPI_Comm_split(WORLD, 0, -rank, &split); /* ranks the other way round */
    MPI_Comm_rank(split, &r);
    CHECK_EQUAL(r, other);
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - r, 0, &y, 1, MPI_INT, MPI_ANY_SOURCE, 0, split, &s);
    CHECK_EQUAL(y, other);
    CHECK_EQUAL(s.MPI_SOURCE, 1 - r);
    MPI_Bcast(&y, 1, MPI_INT, 0, split);
    CHECK_EQUAL(y, 0); /* rank 0 of it is rank 1, which had got 0 */
    MPI_Comm_split(split, rank ? MPI_UNDEFINED : 1, 0, &none);
    CHECK_EQUAL(none == MPI_COMM_NULL, rank);
    if (!rank)
        MPI_Comm_free(&none);

    MPI_Comm_group(WORLD, &all);
    n = 1;
    MPI_Group_incl(all, 1, &n, &mine);
    MPI_Comm_create(WORLD, mine, &made);
    CHECK_EQUAL(made == MPI_COMM_NULL, !rank);
    if (rank) {
        MPI_Comm_create_group(WORLD, mine, 4, &alone);
        MPI_Barrier(alone);
        MPI_Comm_free(&alone);
        MPI_Comm_free(&made);
    }
    MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &s);
    CHECK_EQUAL(y, rank);
    MPI_Comm_free(&split);
    MPI_Group_free(&mine);
    MPI_Group_free(&all);
}

/* With buffering a rank leaves when it has its data: so what it gave may change at once. */
static void collectives(void)
{
    int x[2] = {10 * rank, 10 * rank + 1}, y[4] = {-1, -1, -1, -1}, counts[2] = {1, 1}, at[2] = {1, 0},
        two = 2, yes = 1;
    MPI_Request q[2];
    MPI_Status ss[2];
    MPI_Comm line, dup;
    for (int root = 0; root < 2; root++) {
        y[0] = rank == root ? 5 + root : -1;
        MPI_Ibcast(y, 1, MPI_INT, root, WORLD, &q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        CHECK_EQUAL(y[0], 5 + root);
        y[0] = -1;
        MPI_Scatterv(x, counts, at, MPI_INT, y, 1, MPI_INT, root, WORLD);
        CHECK_EQUAL(y[0], 10 * root + at[rank]);
        MPI_Gather(x, 2, MPI_INT, y, 2, MPI_INT, root, WORLD);
        CHECK_EQUAL(y[3], rank == root ? 11 : -1);
        y[3] = -1;
        MPI_Reduce(x, y, 2, MPI_INT, MPI_SUM, root, WORLD);
        if (rank == root)
            CHECK_EQUAL(y[1], 12);
    }
    MPI_Scan(x, y, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK_EQUAL(y[1], rank ? 12 : 1);
    y[0] = x[1];
    MPI_Exscan(MPI_IN_PLACE, y, 1, MPI_INT, MPI_SUM, WORLD);
    CHECK_EQUAL(y[0], 1);
    MPI_Iallreduce(x, y, 1, MPI_INT, MPI_SUM, WORLD, &q[0]);
    MPI_Ialltoall(x, 1, MPI_INT, y + 2, 1, MPI_INT, WORLD, &q[1]);
    MPI_Waitall(2, q, ss);
    CHECK_EQUAL(y[0], 10);
    CHECK_EQUAL(y[3], 10 + rank);
    MPI_Cart_create(WORLD, 1, &two, &yes, 0, &line); /* both neighbours are the other */
    MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, line);
    CHECK_EQUAL(y[0], 10 * other + 1);
    CHECK_EQUAL(y[1], 10 * other);
    MPI_Comm_idup(line, &dup, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&line);
}

static void types(void)
{
    int x[4] = {1, 2, 3, 4}, y[4] = {0};
    MPI_Datatype every_other;
    MPI_Request q[2];
    MPI_Status ss[2];
    MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Irecv(y, 1, every_other, other, 0, WORLD, &q[0]);
    MPI_Isend(x, 1, every_other, other, 0, WORLD, &q[1]);
    MPI_Type_free(&every_other); /* both are pending */
    CHECK_EQUAL(every_other, MPI_DATATYPE_NULL);
    MPI_Waitall(2, q, ss);
    CHECK_EQUAL(y[0] * 100 + y[1] * 10 + y[2], 103);
    CHECK_EQUAL(count_of(&ss[0], MPI_INT), 2);
    MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    y[2] = 0;
    if (rank)
        MPI_Send(x, 1, every_other, 0, 0, WORLD); /* packed, if it is buffered */
    else
        MPI_Recv(y, 1, every_other, 1, 0, WORLD, &ss[0]);
    CHECK_EQUAL(y[2], rank ? 0 : 3);
    MPI_Type_free(&every_other);
}

static void large(void)
{
    enum { N = 300000 }; /* rendezvous */
    int *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y);
    MPI_Request q;
    for (int i = 0; i < N; i++)
        x[i] = i ^ rank;
    MPI_Isend(x, N, MPI_INT, other, 0, WORLD, &q);
    MPI_Recv(y, N, MPI_INT, other, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        CHECK_EQUAL(y[i], i ^ other);
    free(x);
    free(y);
}

static int handler_calls;

static void handler(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    CHECK_EQUAL(class, MPI_ERR_TRUNCATE);
    handler_calls++;
}

static void errors(void)
{
    MPI_Errhandler got, own;
    int x[2] = {0}, class;
    MPI_Request q[2];
    MPI_Status s, ss[2];
    MPI_Comm_get_errhandler(WORLD, &got);
    CHECK_EQUAL(got, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(x, 1, MPI_INT, 7, 0, WORLD), &class);
    CHECK_EQUAL(class, MPI_ERR_RANK);
    MPI_Error_class(MPI_Send(x, -1, MPI_INT, 0, 0, WORLD), &class);
    CHECK_EQUAL(class, MPI_ERR_COUNT);
    MPI_Isend(x, 2, MPI_INT, other, 0, WORLD, &q[0]);
    MPI_Error_class(MPI_Recv(x, 1, MPI_INT, other, 0, WORLD, &s), &class);
    CHECK_EQUAL(class, MPI_ERR_TRUNCATE);
    MPI_Wait(&q[0], &s);
    MPI_Isend(x, 2, MPI_INT, other, 0, WORLD, &q[0]);
    MPI_Irecv(x, 1, MPI_INT, other, 0, WORLD, &q[1]);
    CHECK_EQUAL(MPI_Waitall(2, q, ss), MPI_ERR_IN_STATUS);
    CHECK_EQUAL(ss[0].MPI_ERROR, MPI_SUCCESS);
    MPI_Error_class(ss[1].MPI_ERROR, &class);
    CHECK_EQUAL(class, MPI_ERR_TRUNCATE);

    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(WORLD, own);
    MPI_Isend(x, 2, MPI_INT, other, 0, WORLD, &q[0]);
    MPI_Irecv(x, 1, MPI_INT, other, 0, WORLD, &q[1]);
    MPI_Wait(&q[0], &s);
    MPI_Barrier(WORLD);
    CHECK_EQUAL(handler_calls, 0); /* not before the program asks */
    MPI_Wait(&q[1], &s);
    CHECK_EQUAL(handler_calls, 1);
    MPI_Comm_get_errhandler(WORLD, &got);
    CHECK_EQUAL(got, own);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&own);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
}

static void unreceived(void) /* a message that is left over needs nothing of MPI */
{
    static char room[1000];
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&rank, 1, MPI_INT, other, 1234, WORLD);
}

int main(int argc, char **argv)
{
    int provided;
    /* a word more: as a rank with one thread, which alone can hold */
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    blocking();
    exchanges();
    nonblocking();
    joined();
    partitioned();
    generalized();
    persistent();
    probes();
    communicators();
    collectives();
    types();
    large();
    errors();
    unreceived();
    MPI_Finalize();
    printf("rank %d is through\n", rank);
    return 0;
}
