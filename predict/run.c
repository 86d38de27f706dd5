/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was told of a run. Sections are of MPI-4.0.
 *
 *   3.4          a send in synchronous mode, and a standard one that is not buffered, is complete with its
 *                receive; others at once
 *   6.12, 6.14   collectives of a communicator match in their order; members wait for all; where standard sends
 *                are buffered, for those of which they get data (enum isp_flow)
 */
#include "run.h"

#include <stdlib.h>

struct predict *predict_create(int ranks, bool buffered)
{
    struct predict *p = predict_new(1, sizeof *p);
    p->n_ranks = ranks;
    p->buffered = buffered;
    p->ranks = predict_new((size_t)ranks, sizeof *p->ranks);
    return p;
}

void predict_prefer(struct predict *p, int32_t receive, int32_t send)
{
    predict_list_add(&p->preferred, receive);
    predict_list_add(&p->preferred, send);
}

void predict_refuse(struct predict *p, const char *why) { p->why = p->why ? p->why : why; }

const char *predict_why(const struct predict *p) { return p->why; }

int32_t predict_choices(const struct predict *p) { return p->choices; }

struct predict_cost predict_cost(const struct predict *p) { return p->cost; }

static const struct predict_comm *find_comm(const struct predict *p, int32_t number)
{
    for (int32_t i = 0; i < p->n_comms; i++)
        if (p->comms[i].number == number)
            return &p->comms[i];
    return NULL;
}

void predict_comm(struct predict *p, int32_t comm, const int32_t *members, uint32_t n)
{
    if (find_comm(p, comm))
        return;
    p->comms = predict_grow(p->comms, &p->comms_room, p->n_comms + 1, sizeof *p->comms);
    struct predict_comm *new = &p->comms[p->n_comms++];
    *new = (struct predict_comm){.number = comm};
    for (uint32_t i = 0; i < n; i++)
        predict_list_add(&new->members, members[i]);
}

/* ---- what is not modelled ---- */

static const char *unmodelled(const struct predict_call *c)
{
    if (c->flags & ISP_F_HELD || c->op == ISP_OP_READY)
        return "it has partitioned messages or generalized requests";
    if (c->flags & ISP_F_PARTITIONED)
        return "it has partitioned messages";
    if (c->op == ISP_OP_CANCEL)
        return "it calls MPI_Cancel";
    if (c->op == ISP_OP_LOCK || c->op == ISP_OP_UNLOCK)
        return "ranks take turns at windows or files";
    if (c->op == ISP_OP_ADMIT)
        return "several threads of a rank call MPI";
    if (c->op == ISP_OP_COLLECTIVE && c->mode == ISP_MAKE_INTER)
        return "it calls MPI_Intercomm_create";
    if (c->flags & ISP_F_POLL)
        return "it polls";
    return NULL;
}

int32_t predict_add(struct predict *p, const struct predict_call *call)
{
    struct predict_list *rank = &p->ranks[call->rank];
    p->events = predict_grow(p->events, &p->events_room, p->n_events + 1, sizeof *p->events);
    struct predict_event *e = &p->events[p->n_events];
    *e = (struct predict_event){.call = *call,
                                .index = rank->n,
                                .first_named = p->named.n,
                                .first_source = p->sources.n,
                                .fence = PREDICT_NOBODY,
                                .node = PREDICT_NOBODY,
                                .got = PREDICT_NOBODY,
                                .first_pair = PREDICT_NOBODY,
                                .class = PREDICT_NOBODY,
                                .mrecv = PREDICT_NOBODY,
                                .collection = PREDICT_NOBODY};
    e->call.named = NULL;
    e->call.sources = NULL;
    for (uint32_t i = 0; i < call->n_named; i++)
        predict_list_add(&p->named, call->named[i]);
    for (uint32_t i = 0; i < call->n_sources; i++)
        predict_list_add(&p->sources, (int32_t)call->sources[i]);
    predict_list_add(rank, p->n_events);
    if (unmodelled(call))
        predict_refuse(p, unmodelled(call));
    return p->n_events++;
}

/* ---- collectives ---- */

static bool same_collective(const struct predict *p, const struct predict_event *a,
                            const struct predict_event *b)
{
    if (a->call.comm != b->call.comm || a->call.key != b->call.key ||
        predict_is(a, ISP_F_SUBSET) != predict_is(b, ISP_F_SUBSET))
        return false;
    if (!predict_is(a, ISP_F_SUBSET))
        return true;
    bool same = a->call.tag == b->call.tag && a->call.n_sources == b->call.n_sources;
    for (uint32_t i = 0; same && i < a->call.n_sources; i++)
        same = p->sources.all[a->first_source + (int32_t)i] == p->sources.all[b->first_source + (int32_t)i];
    return same;
}

static bool is_open(const struct predict_event *e)
{
    return e->call.op == ISP_OP_COLLECTIVE && e->collection == PREDICT_NOBODY;
}

/* Of the rank: the first call of this collective that is in no collection yet. from: of each rank, the first
 * that may be in none. */
static int32_t next_call(const struct predict *p, int32_t rank, const struct predict_event *like,
                         int32_t *from)
{
    const struct predict_list *calls = &p->ranks[rank];
    while (from[rank] < calls->n && !is_open(predict_event(p, calls->all[from[rank]])))
        from[rank]++;
    for (int32_t i = from[rank]; i < calls->n; i++) {
        const struct predict_event *e = predict_event(p, calls->all[i]);
        if (is_open(e) && same_collective(p, e, like))
            return calls->all[i];
    }
    return PREDICT_NOBODY;
}

static void collect(struct predict *p, struct predict_event *first, int32_t *from)
{
    const struct predict_comm *comm = find_comm(p, first->call.comm);
    bool subset = predict_is(first, ISP_F_SUBSET);
    int32_t n = subset ? (int32_t)first->call.n_sources : comm ? comm->members.n : 0;
    const int32_t *members = subset ? &p->sources.all[first->first_source] : comm ? comm->members.all : NULL;
    p->collections =
        predict_grow(p->collections, &p->collections_room, p->n_collections + 1, sizeof *p->collections);
    struct predict_collection *all = &p->collections[p->n_collections];
    *all = (struct predict_collection){0};
    for (int32_t i = 0; i < n; i++) {
        int32_t call = next_call(p, members[i], first, from);
        predict_list_add(&all->members, call);
        if (call != PREDICT_NOBODY)
            predict_event(p, call)->collection = p->n_collections;
    }
    if (first->collection != p->n_collections)
        predict_refuse(p, "members of a communicator are not known");
    p->n_collections++;
}

static int32_t call_of(const struct predict *p, const struct predict_collection *all, int32_t rank)
{
    for (int32_t i = 0; i < all->members.n; i++)
        if (all->members.all[i] != PREDICT_NOBODY && predict_event(p, all->members.all[i])->call.rank == rank)
            return all->members.all[i];
    return PREDICT_NOBODY;
}

static void need_sources(const struct predict *p, const struct predict_event *e,
                         const struct predict_collection *all, struct predict_list *list)
{
    for (uint32_t i = 0; i < e->call.n_sources; i++) {
        uint32_t entry = (uint32_t)p->sources.all[e->first_source + (int32_t)i];
        if (!(entry & ISP_SOURCE_EMPTY))
            predict_list_add(list, call_of(p, all, (int32_t)isp_source_rank(entry)));
    }
}

/* All members, or those before the one. */
static void need_members(const struct predict_collection *all, int32_t before, struct predict_list *list)
{
    for (int32_t i = 0; i < all->members.n; i++) {
        if (before != PREDICT_NOBODY && all->members.all[i] == before)
            return;
        predict_list_add(list, all->members.all[i]);
    }
}

void predict_needed(const struct predict *p, const struct predict_event *e, struct predict_list *list)
{
    const struct predict_call *c = &e->call;
    const struct predict_collection *all = &p->collections[e->collection];
    bool flows = p->buffered && predict_is(e, ISP_F_SLOT);
    int flow = flows ? c->flow : ISP_FLOW_ALL;
    bool root = c->root == c->rank, none = c->root == ISP_NO_RANK;
    if (flows && predict_is(e, ISP_F_TAKES_NOTHING))
        return;
    if (flow == ISP_FLOW_LIST || flow == ISP_FLOW_SOURCES)
        need_sources(p, e, all, list);
    else if ((flow == ISP_FLOW_FROM_ROOT && (root || none)) || (flow == ISP_FLOW_TO_ROOT && !root))
        return;
    else if (flow == ISP_FLOW_FROM_ROOT)
        predict_list_add(list, call_of(p, all, c->root));
    else
        need_members(all, flow == ISP_FLOW_PREFIX ? p->ranks[c->rank].all[e->index] : PREDICT_NOBODY, list);
}

/* ---- all is told ---- */

bool predict_is_kept(const struct predict *p, const struct predict_event *send)
{
    return send->call.mode == ISP_SEND_BUFFERED || predict_is(send, ISP_F_DETACHED) ||
           (p->buffered && send->call.mode != ISP_SEND_SYNC);
}

/* What is freed drops out of later lists (3.7.3). */
static void drop_freed(struct predict *p, const struct predict_list *calls, bool *freed)
{
    for (int32_t i = 0; i < calls->n; i++) {
        const struct predict_event *e = predict_event(p, calls->all[i]);
        int32_t *named = &p->named.all[e->first_named];
        for (uint32_t k = 0; k < e->call.n_named; k++) {
            if (named[k] == PREDICT_NOBODY)
                continue;
            if (e->call.op == ISP_OP_FREE)
                freed[named[k]] = true;
            else if (e->call.op == ISP_OP_COMPLETE && freed[named[k]])
                named[k] = PREDICT_NOBODY;
        }
    }
}

void predict_run_finish(struct predict *p)
{
    bool *freed = predict_new((size_t)p->n_events, sizeof *freed);
    int32_t *from = predict_new((size_t)p->n_ranks, sizeof *from);
    for (int32_t i = 0; i < p->n_events; i++) {
        struct predict_event *e = predict_event(p, i);
        if (predict_is_fence(e))
            e->node = p->n_nodes++;
        if (predict_gets(e))
            e->got = p->n_nodes++;
        if (is_open(e))
            collect(p, e, from);
        bool received = e->call.op == ISP_OP_RECV && e->call.mode == ISP_RECV_MESSAGE && e->call.n_named;
        if (received && predict_named(p, e, 0) != PREDICT_NOBODY)
            predict_event(p, predict_named(p, e, 0))->mrecv = i;
    }
    free(from);
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        drop_freed(p, &p->ranks[rank], freed);
    free(freed);
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0, fence = PREDICT_NOBODY; i < p->ranks[rank].n; i++) {
            struct predict_event *e = predict_event(p, p->ranks[rank].all[i]);
            e->fence = fence;
            if (predict_is_fence(e))
                fence = p->ranks[rank].all[i];
        }
}
