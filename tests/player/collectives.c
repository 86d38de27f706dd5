/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives: each rank gives its rank in MPI_COMM_WORLD + 1, to each that takes something. By which call is
 * the token's way. */
#include <stdlib.h>
#include <string.h>

#include "player.h"

enum form {
    DEFAULT,
    ALLREDUCE,
    ALLGATHER,
    ALLTOALL,
    REDUCE_SCATTER,
    DUP,
    SPLIT,
    SCATTER,
    GATHER,
    EXSCAN,
    NEIGHBOR_ALLTOALL,
    ALLTOALLV,
    SCATTERV
};

/* The call that this member makes of the collective, or NULL. */
static const struct token *call_of(const struct token *t, int rank)
{
    for (int k = 0; k < n_tokens[rank]; k++) {
        const struct token *other = &lines[rank][k];
        if (other->call->kind == COLLECTIVE && other->comm == t->comm && other->number == t->number)
            return other;
    }
    return NULL;
}

/* How much each member gets, by its rank there; whether that is not the same for all. */
static bool fill_counts(const struct token *t, int counts[])
{
    const struct comm *c = &comms[t->comm];
    bool unlike = false;
    for (int m = 0; m < c->n_members; m++) {
        const struct token *other = call_of(t, c->members[m]);
        counts[m] = other ? !other->call->empty : !t->call->empty;
        unlike |= counts[m] == t->call->empty;
    }
    return unlike;
}

/* A root's data of which some members get nothing are pieces. */
static bool is_pieces(const struct token *t)
{
    int counts[RANKS];
    return t->call->collective == BCAST && !*t->way && fill_counts(t, counts);
}

static enum form form_of(const struct token *t)
{
    static const struct {
        const char *way;
        enum form form;
    } forms[] = {
        {"allreduce", ALLREDUCE},
        {"allgather", ALLGATHER},
        {"reducescatter", REDUCE_SCATTER},
        {"dup", DUP},
        {"idup", DUP},
        {"split", SPLIT},
        {"scatter", SCATTER},
        {"gather", GATHER},
        {"exscan", EXSCAN},
        {"alltoallv", ALLTOALLV},
    };
    if (is_pieces(t))
        return SCATTERV;
    if (is_way(t, "alltoall"))
        return t->call->collective == NEIGHBOR ? NEIGHBOR_ALLTOALL : ALLTOALL;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (is_way(t, forms[k].way))
            return forms[k].form;
    return DEFAULT;
}

#define INT1 1, MPI_INT

/* Each piece is the first number that the root has. */
static const int from_first[RANKS];

/* The counts by which the ranks of a neighbourhood, and no others, give and take in MPI_Alltoallv. */
static struct vectors {
    int given[RANKS], taken[RANKS], from[RANKS], at[RANKS];
} * vectors_of(struct token *t)
{
    int in, out, weighted, sources[RANKS], destinations[RANKS], weights[2 * RANKS];
    struct vectors *v = calloc(1, sizeof *v); /* as long as the program */
    if (!v)
        abort();
    MPI_Dist_graph_neighbors_count(t->graph, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(t->graph, in, sources, weights, out, destinations, weights + RANKS);
    for (int k = 0; k < out; k++)
        v->given[destinations[k]] = 1;
    for (int k = 0; k < in; k++) {
        v->taken[sources[k]] = 1;
        v->at[sources[k]] = k;
    }
    return v;
}

/* As long as the program: a nonblocking call may read them until it is complete. */
static int *counts_of(const struct token *t)
{
    static int all[TOKENS][RANKS];
    int *counts = all[t - lines[me]];
    fill_counts(t, counts);
    return counts;
}

static void call_blocking(struct token *t, MPI_Comm comm, int root, const int *in, int *got)
{
    int *counts = counts_of(t), n = !t->call->empty;
    switch (form_of(t)) {
    case ALLREDUCE: MPI_Allreduce(in, got, INT1, MPI_SUM, comm); return;
    case ALLGATHER: MPI_Allgather(in, INT1, got, INT1, comm); return;
    case ALLTOALL: MPI_Alltoall(in, INT1, got, INT1, comm); return;
    case REDUCE_SCATTER: MPI_Reduce_scatter_block(in, got, INT1, MPI_SUM, comm); return;
    case DUP: MPI_Comm_dup(comm, &t->graph); return;
    case SPLIT: MPI_Comm_split(comm, me % 2, 0, &t->graph); return;
    case SCATTER: MPI_Scatter(in, INT1, got, INT1, root, comm); return;
    case GATHER: MPI_Gather(in, INT1, got, INT1, root, comm); return;
    case EXSCAN: MPI_Exscan(in, got, INT1, MPI_SUM, comm); return;
    case NEIGHBOR_ALLTOALL: MPI_Neighbor_alltoall(in, INT1, got, INT1, t->graph); return;
    case ALLTOALLV: {
        struct vectors *v = vectors_of(t);
        MPI_Alltoallv(in, v->given, v->from, MPI_INT, got, v->taken, v->at, MPI_INT, t->graph);
        return;
    }
    case SCATTERV: MPI_Scatterv(in, counts, from_first, MPI_INT, got, n, MPI_INT, root, comm); return;
    case DEFAULT: break;
    }
    switch (t->call->collective) {
    case BARRIER: MPI_Barrier(comm); break;
    case BCAST: MPI_Bcast(got, n, MPI_INT, root, comm); break;
    case REDUCE: MPI_Reduce(in, got, n, MPI_INT, MPI_SUM, root, comm); break;
    case SCAN: MPI_Scan(in, got, n, MPI_INT, MPI_SUM, comm); break;
    case NEIGHBOR: MPI_Neighbor_allgather(in, INT1, got, INT1, t->graph); break;
    case TAKE: MPI_Reduce_scatter(in, got, counts, MPI_INT, MPI_SUM, comm); break;
    }
}

static void call_nonblocking(struct token *t, MPI_Comm comm, int root, const int *in, int *got,
                             MPI_Request *r)
{
    int *counts = counts_of(t), n = !t->call->empty;
    switch (form_of(t)) {
    case ALLREDUCE: MPI_Iallreduce(in, got, INT1, MPI_SUM, comm, r); return;
    case ALLGATHER: MPI_Iallgather(in, INT1, got, INT1, comm, r); return;
    case ALLTOALL: MPI_Ialltoall(in, INT1, got, INT1, comm, r); return;
    case REDUCE_SCATTER: MPI_Ireduce_scatter_block(in, got, INT1, MPI_SUM, comm, r); return;
    case DUP: MPI_Comm_idup(comm, &t->graph, r); return;
    case SCATTER: MPI_Iscatter(in, INT1, got, INT1, root, comm, r); return;
    case GATHER: MPI_Igather(in, INT1, got, INT1, root, comm, r); return;
    case EXSCAN: MPI_Iexscan(in, got, INT1, MPI_SUM, comm, r); return;
    case NEIGHBOR_ALLTOALL: MPI_Ineighbor_alltoall(in, INT1, got, INT1, t->graph, r); return;
    case ALLTOALLV: {
        struct vectors *v = vectors_of(t);
        MPI_Ialltoallv(in, v->given, v->from, MPI_INT, got, v->taken, v->at, MPI_INT, t->graph, r);
        return;
    }
    case SCATTERV: MPI_Iscatterv(in, counts, from_first, MPI_INT, got, n, MPI_INT, root, comm, r); return;
    case SPLIT:
    case DEFAULT: break;
    }
    switch (t->call->collective) {
    case BARRIER: MPI_Ibarrier(comm, r); break;
    case BCAST: MPI_Ibcast(got, n, MPI_INT, root, comm, r); break;
    case REDUCE: MPI_Ireduce(in, got, n, MPI_INT, MPI_SUM, root, comm, r); break;
    case SCAN: MPI_Iscan(in, got, n, MPI_INT, MPI_SUM, comm, r); break;
    case NEIGHBOR: MPI_Ineighbor_allgather(in, INT1, got, INT1, t->graph, r); break;
    case TAKE: MPI_Ireduce_scatter(in, got, counts, MPI_INT, MPI_SUM, comm, r); break;
    }
}

static void start_persistent(struct token *t, MPI_Comm comm, int root, const int *in, int *got,
                             MPI_Request *r)
{
    switch (t->call->collective) {
    case BARRIER: MPI_Barrier_init(comm, MPI_INFO_NULL, r); break;
    case BCAST: MPI_Bcast_init(got, INT1, root, comm, MPI_INFO_NULL, r); break;
    case REDUCE: MPI_Reduce_init(in, got, INT1, MPI_SUM, root, comm, MPI_INFO_NULL, r); break;
    case SCAN: MPI_Scan_init(in, got, INT1, MPI_SUM, comm, MPI_INFO_NULL, r); break;
    case NEIGHBOR: MPI_Neighbor_allgather_init(in, INT1, got, INT1, t->graph, MPI_INFO_NULL, r); break;
    case TAKE: fail("not played that way", t->call->name);
    }
    MPI_Start(r);
}

void collective(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int root = peer_in(&comms[t->comm], t->peer), *in = t->out, *got = t->buffer;
    for (int i = 0; i < ROOM; i++) {
        in[i] = me + 1;
        got[i] = t->call->collective == BCAST && form_of(t) == DEFAULT && t->peer == me ? me + 1 : -1;
    }
    bool persistent = is_way(t, "init");
    if (persistent)
        start_persistent(t, comm, root, in, got, &t->request);
    else if (t->call->nonblocking || is_way(t, "iwait"))
        call_nonblocking(t, comm, root, in, got, &t->request);
    else
        call_blocking(t, comm, root, in, got);
    if (t->call->nonblocking) {
        t->active = true;
        t->persistent = persistent;
        return;
    }
    if (persistent || is_way(t, "iwait"))
        MPI_Wait(&t->request, MPI_STATUS_IGNORE);
    if (persistent)
        MPI_Request_free(&t->request);
    check_collective(k);
}

/* ---- what must have come ---- */

static int sum_up_to(const struct comm *c, int last)
{
    int sum = 0;
    for (int m = 0; m <= last; m++)
        sum += c->members[m] + 1;
    return sum;
}

static int all_of(const struct comm *c, int want[])
{
    for (int m = 0; m < c->n_members; m++)
        want[m] = c->members[m] + 1;
    return c->n_members;
}

/* Fills in what must have come; how many numbers. */
static int wanted(const struct token *t, const struct comm *c, int want[])
{
    int last = c->n_members - 1, own = peer_in(c, me);
    if (t->call->empty)
        return 0;
    switch (form_of(t)) {
    case ALLREDUCE:
    case REDUCE_SCATTER: want[0] = sum_up_to(c, last); return 1;
    case ALLGATHER:
    case ALLTOALL: return all_of(c, want);
    case GATHER: return t->peer == me ? all_of(c, want) : 0;
    case EXSCAN: want[0] = sum_up_to(c, own - 1); return own > 0;
    case DUP:
    case SPLIT: return 0;
    default: break;
    }
    switch (t->call->collective) {
    case BARRIER: return 0;
    case BCAST: want[0] = t->peer + 1; return 1;
    case REDUCE: want[0] = t->peer == me ? sum_up_to(c, last) : -1; return 1;
    case SCAN: want[0] = sum_up_to(c, own); return 1;
    case TAKE: want[0] = sum_up_to(c, last); return 1;
    case NEIGHBOR: break;
    }
    for (int n = 0; n < t->n_args; n++)
        want[n] = t->args[n] + 1;
    return t->n_args;
}

void check_collective(int k)
{
    struct token *t = &lines[me][k];
    const struct comm *c = &comms[t->comm];
    int want[RANKS], n = wanted(t, c, want);
    for (int i = 0; i < n; i++)
        if (t->buffer[i] != want[i])
            say("wrong: %d.%d: %s gave %d, expected %d", me, k, t->call->name, t->buffer[i], want[i]);
    if (form_of(t) != DUP && form_of(t) != SPLIT)
        return;
    int size = -1;
    MPI_Comm_size(t->graph, &size);
    if (size < 1 || size > c->n_members || (form_of(t) == DUP && size != c->n_members))
        say("wrong: %d.%d: the new communicator has %d members", me, k, size);
    if (!t->call->nonblocking) /* where all members are; else it would be one more call that waits for them */
        MPI_Comm_free(&t->graph);
}
