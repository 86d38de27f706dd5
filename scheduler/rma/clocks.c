/* SPDX-License-Identifier: BSD-3-Clause */
/* See clocks.h. */
#include "clocks.h"

#include "base/alloc.h"
#include "isp/functions.h"

struct pending {
    uint32_t
        *posted; /* what its rank knew when it called it; NULL: it was called before anything was counted */
    uint32_t *brings; /* what is known when it is complete; NULL: nothing new */
    bool whole;       /* part of the JOIN with the handle `join` */
    uint32_t join;
    int origin, window; /* of a signal of MPI_Win_complete; origin < 0: it is none */
    int flow;           /* communicator of a collective that its rank may leave early; or ISP_NO_COMM */
};

struct rank {
    uint32_t *knows;
    uint32_t version;
    struct pending *pending; /* by handle */
    uint32_t n;
};

/* With buffered sends the members of a collective leave it as its data flows, and the match sets do not say
 * which of them brought what. So here all that have entered one on the communicator are taken to have: that
 * may order too much. */
struct flow {
    int comm;
    uint32_t *entered;
};

struct sched_clocks {
    int n;
    bool buffered;
    struct flow *flows;
    size_t n_flows;
    struct rank ranks[];
};

struct sched_clocks *sched_clocks_create(int ranks, bool buffered)
{
    struct sched_clocks *c = sched_alloc(1, sizeof *c + (size_t)ranks * sizeof *c->ranks);
    c->n = ranks;
    c->buffered = buffered;
    for (int i = 0; i < ranks; i++)
        c->ranks[i].knows = sched_alloc((size_t)ranks, sizeof(uint32_t));
    return c;
}

void sched_clocks_destroy(struct sched_clocks *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->n; i++) {
        for (uint32_t k = 0; k < c->ranks[i].n; k++) {
            free(c->ranks[i].pending[k].posted);
            free(c->ranks[i].pending[k].brings);
        }
        free(c->ranks[i].pending);
        free(c->ranks[i].knows);
    }
    for (size_t i = 0; i < c->n_flows; i++)
        free(c->flows[i].entered);
    free(c->flows);
    free(c);
}

uint32_t sched_clocks_tick(struct sched_clocks *c, int rank) { return ++c->ranks[rank].knows[rank]; }

const uint32_t *sched_clocks_of(const struct sched_clocks *c, int rank) { return c->ranks[rank].knows; }

uint32_t sched_clocks_version(const struct sched_clocks *c, int rank) { return c->ranks[rank].version; }

/* ---- operations ---- */

static struct pending *pending_of(struct sched_clocks *c, int rank, uint32_t handle)
{
    return handle < c->ranks[rank].n ? &c->ranks[rank].pending[handle] : NULL;
}

static uint32_t *copy(const struct sched_clocks *c, const uint32_t *clock)
{
    uint32_t *new = sched_alloc((size_t)c->n, sizeof *new);
    memcpy(new, clock, (size_t)c->n * sizeof *new);
    return new;
}

struct sched_clocks *sched_clocks_copy(const struct sched_clocks *c)
{
    struct sched_clocks *new = sched_copy(c, sizeof *c + (size_t)c->n * sizeof *c->ranks);
    new->flows = sched_copy(c->flows, c->n_flows * sizeof *c->flows);
    for (size_t i = 0; i < c->n_flows; i++)
        new->flows[i].entered = copy(c, c->flows[i].entered);
    for (int i = 0; i < c->n; i++) {
        struct rank *r = &new->ranks[i];
        r->knows = copy(c, r->knows);
        r->pending = sched_copy(r->pending, r->n * sizeof *r->pending);
        for (uint32_t k = 0; k < r->n; k++) {
            struct pending *p = &r->pending[k];
            p->posted = p->posted ? copy(c, p->posted) : NULL;
            p->brings = p->brings ? copy(c, p->brings) : NULL;
        }
    }
    return new;
}

/* One of before anything was counted, if there is none. */
static struct pending *reserve(struct sched_clocks *c, int rank, uint32_t handle)
{
    struct rank *r = &c->ranks[rank];
    if (handle >= r->n) {
        uint32_t n = 2 * handle + 16;
        r->pending = sched_grow(r->pending, n, sizeof *r->pending);
        for (uint32_t i = r->n; i < n; i++)
            r->pending[i] = (struct pending){.origin = -1, .flow = ISP_NO_COMM};
        r->n = n;
    }
    return &r->pending[handle];
}

/* A new operation takes the place of one that is over. */
static struct pending *post(struct sched_clocks *c, int rank, uint32_t handle)
{
    const struct rank *r = &c->ranks[rank];
    struct pending *p = reserve(c, rank, handle);
    free(p->posted);
    free(p->brings);
    *p = (struct pending){.posted = copy(c, r->knows), .origin = -1, .flow = ISP_NO_COMM};
    return p;
}

static void join(const struct sched_clocks *c, uint32_t *into, const uint32_t *from)
{
    for (int i = 0; i < c->n; i++)
        into[i] = from[i] > into[i] ? from[i] : into[i];
}

static void learn(struct sched_clocks *c, int rank, const uint32_t *clock)
{
    if (!clock)
        return;
    join(c, c->ranks[rank].knows, clock);
    c->ranks[rank].version++;
}

/* The operation is matched: this is known when it completes. */
static void bring(struct sched_clocks *c, int rank, uint32_t handle, const uint32_t *clock)
{
    if (!clock)
        return;
    struct pending *p = reserve(c, rank, handle);
    if (p->whole)
        p = reserve(c, rank, p->join);
    if (!p->brings)
        p->brings = copy(c, clock);
    else
        join(c, p->brings, clock);
}

static bool is_op_with_handle(const struct isp_call *call)
{
    return call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_JOIN ||
           (call->op == ISP_OP_PROBE && (call->flags & ISP_F_MATCHED)) ||
           (call->op == ISP_OP_COLLECTIVE && (call->flags & ISP_F_SLOT));
}

static uint32_t *entered(struct sched_clocks *c, int comm)
{
    for (size_t i = 0; i < c->n_flows; i++)
        if (c->flows[i].comm == comm)
            return c->flows[i].entered;
    c->flows = sched_grow(c->flows, c->n_flows + 1, sizeof *c->flows);
    c->flows[c->n_flows] = (struct flow){comm, sched_alloc((size_t)c->n, sizeof(uint32_t))};
    return c->flows[c->n_flows++].entered;
}

static bool leaves_early(const struct sched_clocks *c, const struct isp_call *call)
{
    return c->buffered && call->flow != ISP_FLOW_ALL && (call->flags & ISP_F_SLOT);
}

void sched_clocks_record(struct sched_clocks *c, int rank, const struct isp_call *call)
{
    struct rank *r = &c->ranks[rank];
    r->version++;
    struct pending *new = is_op_with_handle(call) ? post(c, rank, call->handle) : NULL;
    if (new && call->op == ISP_OP_COLLECTIVE && leaves_early(c, call))
        new->flow = call->flags &ISP_F_TAKES_NOTHING ? ISP_NO_COMM : call->comm;
    for (uint32_t i = 0; call->op == ISP_OP_JOIN && i < call->n; i++) {
        struct pending *part = pending_of(c, rank, call->list[i]);
        if (!part)
            continue;
        bring(c, rank, call->handle, part->brings); /* matched already */
        part->whole = true;
        part->join = call->handle;
    }
    struct pending *held = call->op == ISP_OP_READY ? pending_of(c, rank, call->handle) : NULL;
    if (held && held->posted)
        memcpy(held->posted, r->knows, (size_t)c->n * sizeof *held->posted);
}

/* ---- match sets ---- */

static const uint32_t *posted_of(struct sched_clocks *c, const struct poe_transition *t)
{
    if (!is_op_with_handle(&t->call))
        return c->ranks[t->rank].knows; /* it is in this call */
    struct pending *p = pending_of(c, t->rank, t->call.handle);
    return p ? p->posted : NULL;
}

static void complete(struct sched_clocks *c, int rank, uint32_t handle,
                     const struct sched_clocks_watcher *watcher)
{
    struct pending *p = pending_of(c, rank, handle);
    if (!p)
        return;
    learn(c, rank, p->brings);
    if (p->flow != ISP_NO_COMM)
        learn(c, rank, entered(c, p->flow));
    watcher->request_over(watcher->context, rank, handle);
    if (p->origin >= 0)
        watcher->wait_over(watcher->context, p->origin, rank, p->window);
    p->origin = -1;
}

static void match_message(struct sched_clocks *c, const struct poe_transition *send,
                          const struct poe_transition *receive)
{
    const struct isp_call *s = &send->call, *r = &receive->call;
    bring(c, receive->rank, r->handle, posted_of(c, send));
    if (s->mode == ISP_SEND_SYNC)
        bring(c, send->rank, s->handle, posted_of(c, receive));
    if ((s->flags & ISP_F_SIGNAL) && s->fn == ISP_FN_MPI_Win_complete) {
        struct pending *p = pending_of(c, receive->rank, r->handle);
        if (p) {
            p->origin = send->rank;
            p->window = s->comm;
        }
    }
    for (int i = 0; i < 2; i++) {
        const struct poe_transition *t = i ? receive : send;
        struct pending *p = t->call.flags & ISP_F_FENCE ? pending_of(c, t->rank, t->call.handle) : NULL;
        if (p)
            learn(c, t->rank, p->brings);
    }
}

static bool is_listed(const struct isp_call *call, int rank)
{
    for (uint32_t i = 0; i < call->n; i++)
        if (call->list[i] == (uint32_t)rank)
            return true;
    return false;
}

/* Does `to` get something of `from`, two members at these places? */
static bool flows(const struct poe_transition *from, int from_place, const struct poe_transition *to,
                  int to_place)
{
    const struct isp_call *call = &to->call;
    /* accesses after a fence come after all others' */
    if (call->flags & ISP_F_TAKES_NOTHING && call->fn != ISP_FN_MPI_Win_fence)
        return false;
    switch (call->flow) {
    case ISP_FLOW_FROM_ROOT: return call->root == from->rank;
    case ISP_FLOW_TO_ROOT: return call->root == to->rank;
    case ISP_FLOW_PREFIX: return from_place < to_place;
    case ISP_FLOW_LIST:
    case ISP_FLOW_SOURCES: return is_listed(call, from->rank);
    default: return true;
    }
}

static int place_of(const int *members, unsigned n, int rank)
{
    for (unsigned i = 0; i < n; i++)
        if (members[i] == rank)
            return (int)i;
    return -1;
}

/* All members: what each brings the others. */
static void match_collective(struct sched_clocks *c, const struct poe *poe, const struct poe_fired *f)
{
    const int *members;
    unsigned n = poe_comm_members(poe, f->members[0]->call.comm, &members);
    uint32_t **posted = sched_alloc(f->n_members, sizeof *posted);
    int *place = sched_alloc(f->n_members, sizeof *place);
    for (unsigned i = 0; i < f->n_members; i++) {
        const uint32_t *clock = posted_of(c, f->members[i]);
        posted[i] = clock ? copy(c, clock) : NULL;
        place[i] = place_of(members, n, f->members[i]->rank);
    }
    for (unsigned to = 0; to < f->n_members; to++) {
        const struct poe_transition *t = f->members[to];
        bool handle = is_op_with_handle(&t->call);
        for (unsigned from = 0; from < f->n_members; from++) {
            if (from == to || !posted[from] || !flows(f->members[from], place[from], t, place[to]))
                continue;
            if (handle)
                bring(c, t->rank, t->call.handle, posted[from]);
            if (t->call.flags & ISP_F_FENCE)
                learn(c, t->rank, posted[from]);
        }
    }
    for (unsigned i = 0; i < f->n_members; i++)
        free(posted[i]);
    free(posted);
    free(place);
}

static bool takes_nothing(const struct poe_fired *f, int rank)
{
    for (unsigned i = 0; i < f->n_members; i++)
        if (f->members[i]->rank == rank)
            return f->members[i]->call.flags & ISP_F_TAKES_NOTHING;
    return false;
}

static void match_flow(struct sched_clocks *c, const struct poe_fired *f)
{
    uint32_t *all = entered(c, f->members[0]->call.comm);
    for (unsigned i = 0; i < f->n_members; i++) {
        const uint32_t *clock = posted_of(c, f->members[i]);
        if (clock)
            join(c, all, clock);
    }
    for (unsigned i = 0; i < f->n_effects; i++)
        if (f->effects[i].release && !takes_nothing(f, f->effects[i].rank))
            learn(c, f->effects[i].rank, all);
}

static void answer(struct sched_clocks *c, const struct poe_transition *t, const struct isp_result *result,
                   const struct sched_clocks_watcher *watcher)
{
    bool all = t->call.mode == ISP_COMPLETE_ALL;
    uint32_t n = !result->flag ? 0 : all ? t->call.n : result->n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = all ? i : result->list[i];
        if (at < t->call.n)
            complete(c, t->rank, t->call.list[at], watcher);
    }
}

void sched_clocks_fired(struct sched_clocks *c, const struct poe *poe, const struct poe_fired *f,
                        const struct sched_clocks_watcher *watcher)
{
    const struct poe_transition *first = f->n_members ? f->members[0] : NULL;
    if (!first)
        return;
    if (first->call.op == ISP_OP_COLLECTIVE && leaves_early(c, &first->call)) {
        match_flow(c, f);
    } else if (first->call.op == ISP_OP_COLLECTIVE) {
        match_collective(c, poe, f);
    } else if (f->n_members == 2 && first->call.op == ISP_OP_SEND && f->members[1]->call.op == ISP_OP_RECV) {
        match_message(c, first, f->members[1]);
    } else if (f->n_members == 2 && f->members[1]->call.op == ISP_OP_PROBE) {
        learn(c, f->members[1]->rank, posted_of(c, first));
    } else if (first->call.op == ISP_OP_COMPLETE) {
        for (unsigned i = 0; i < f->n_effects; i++)
            if (f->effects[i].release && f->effects[i].rank == first->rank)
                answer(c, first, &f->effects[i].result, watcher);
    }
}
