/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives: see collective.h. What is here synchronizes; flow.c has those that do not. */
#include "collective.h"

#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "clock.h"
#include "fence.h"
#include "flow.h"
#include "intercomm.h"
#include "isp/functions.h"
#include "operation.h"
#include "ready.h"
#include "record.h"

/* ---- instances ---- */

static bool same_list(const struct isp_call *a, const struct isp_call *b)
{
    return a->n == b->n && (!a->n || memcmp(a->list, b->list, a->n * sizeof *a->list) == 0);
}

/* Which persistent collective it is a start of, or 0. Ranks may start several in different orders. */
static int32_t persistent(const struct isp_call *call)
{
    return call->mode == ISP_MAKE_NOTHING ? call->key : 0;
}

static struct poe_instance *find(const struct poe_comm *comm, const struct isp_call *call, int place)
{
    bool subset = call->flags & ISP_F_SUBSET;
    for (struct poe_instance *i = comm->first; i; i = i->next) {
        if (i->subset != subset || i->ops[place])
            continue;
        const struct isp_call *other = &poe_instance_first(i)->t.call;
        if (persistent(call) != persistent(other))
            continue;
        if (persistent(call))
            return i;
        if (subset ? other->tag == call->tag && same_list(other, call) : i->number == comm->calls[place])
            return i;
    }
    return NULL;
}

static struct poe_instance *instance_create(const struct poe *poe, struct poe_comm *comm,
                                            const struct isp_call *call, int place)
{
    struct poe_instance *i = poe_arena_new(poe->arena, sizeof *i);
    i->comm = comm;
    i->subset = call->flags & ISP_F_SUBSET;
    i->flow = poe_flow_of(poe, call);
    i->number = comm->calls[place];
    i->needed = i->subset ? (int)call->n : comm->n;
    i->ops = poe_arena_new(poe->arena, (size_t)comm->n * sizeof(struct poe_op *));
    i->prev = comm->last;
    *(comm->last ? &comm->last->next : &comm->first) = i;
    comm->last = i;
    return i;
}

void poe_instance_destroy(struct poe *poe, struct poe_instance *i)
{
    *(i->prev ? &i->prev->next : &i->comm->first) = i->next;
    *(i->next ? &i->next->prev : &i->comm->last) = i->prev;
    poe_arena_free(poe->arena, i->ops);
    poe_arena_free(poe->arena, i);
}

static bool is_member(const struct poe_comm *comm, const struct poe *poe, uint32_t rank)
{
    return rank < (uint32_t)poe->config.ranks && poe_comm_place(comm, (int)rank) >= 0;
}

bool poe_collective_is_same(const struct isp_call *a, const struct isp_call *b)
{
    return isp_fn_base(a->fn) == isp_fn_base(b->fn) && a->mode == b->mode;
}

/* An early leaver and one that waits for all cannot be in one instance (or NULL), unless it is a mismatch. */
static bool flows_alike(const struct poe *poe, const struct poe_instance *i, const struct isp_call *c)
{
    return !i || i->flow == poe_flow_of(poe, c) || !poe_instance_agrees(i) ||
           !poe_collective_is_same(&poe_instance_first(i)->t.call, c);
}

bool poe_collective_is_valid(const struct poe *poe, int rank, const struct isp_call *c)
{
    const struct poe_comm *comm = poe_comm_find(poe, c->comm);
    if (!comm || poe_comm_place(comm, rank) < 0 || !(c->flags & (ISP_F_FENCE | ISP_F_SLOT)) ||
        c->mode > ISP_MAKE_INTER)
        return false;
    bool listed = !(c->flags & ISP_F_SUBSET);
    for (uint32_t k = 0; k < c->n; k++) {
        bool flows = c->flow == ISP_FLOW_LIST, none = flows && c->list[k] == (uint32_t)ISP_NO_RANK;
        if (!none && !is_member(comm, poe, flows ? isp_source_rank(c->list[k]) : c->list[k]))
            return false;
        listed |= c->list[k] == (uint32_t)rank;
    }
    return listed && poe_flow_is_valid(poe, comm, c) &&
           (c->mode != ISP_MAKE_INTER || poe_intercomm_is_valid(poe, rank, c)) &&
           flows_alike(poe, find(comm, c, poe_comm_place(comm, rank)), c);
}

void poe_collective_join(struct poe *poe, struct poe_op *op)
{
    const struct isp_call *call = &op->t.call;
    struct poe_comm *comm = poe_comm_find(poe, call->comm);
    int place = poe_comm_place(comm, op->t.rank);
    struct poe_instance *i = find(comm, call, place);
    if (!i)
        i = instance_create(poe, comm, call, place);
    if (!i->subset && !persistent(call))
        comm->calls[place]++;
    i->ops[place] = op;
    op->instance = i;
    i->arrived++;
    poe_record_meets(poe, op);
    enum isp_flow flow = poe_flow_of(poe, call);
    if (i->flow == ISP_FLOW_ALL)
        i->flow = flow; /* if another one, it does not agree: what flows, does, whoever came first */
    if (i->flow != ISP_FLOW_ALL && !poe_instance_agrees(i))
        poe_collective_clashes(poe, i);
    bool early = (call->flags & ISP_F_TAKES_NOTHING) && (call->flags & ISP_F_SLOT) && poe->config.buffered &&
                 !op->unkept;
    poe->standard_sends = poe->standard_sends || (!poe->config.buffered && poe_flow_may_leave(op));
    if (flow != ISP_FLOW_ALL || early)
        poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_FLOW, .a = op});
    if (i->flow == ISP_FLOW_ALL && i->arrived == i->needed && poe_intercomm_is_there(poe, i))
        poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_COLLECTIVE, .instance = i});
}

void poe_collective_missing(const struct poe_op *op, bool *wanted)
{
    const struct poe_instance *i = op->instance;
    const struct isp_call *c = &op->t.call;
    if (i && i->flow != ISP_FLOW_ALL && !op->t.completed) {
        poe_flow_missing(op, wanted);
        return;
    }
    for (int place = 0; i && place < i->comm->n; place++) {
        bool member = !i->subset;
        for (uint32_t k = 0; i->subset && k < c->n; k++)
            member |= c->list[k] == (uint32_t)i->comm->members[place];
        if (member && !i->ops[place])
            wanted[i->comm->members[place]] = true;
    }
    if (i && i->arrived == i->needed)
        poe_intercomm_missing(i, wanted);
}

/* ---- new communicators ---- */

struct split_member {
    int color, key, place, rank;
};

static int by_color_and_key(const void *a, const void *b)
{
    const struct split_member *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place - y->place;
}

uint64_t poe_collective_key(const struct poe_comm *parent, const struct poe_op *leader)
{
    return poe_mix(poe_mix(parent->key, (uint64_t)leader->t.rank + 1), leader->t.index + 1);
}

/* The communicator that this operation makes, with others. */
static struct poe_comm *make_by(struct poe *poe, const struct poe_comm *parent, const struct poe_op *op,
                                const int *members, int n)
{
    struct poe_comm *c = poe_comm_create(poe, members, n, poe_collective_key(parent, op));
    c->maker = op->t.call.fn;
    c->made = op->t.call.site;
    return c;
}

static void make_split(struct poe *poe, struct poe_instance *i, int *made)
{
    struct poe_comm *comm = i->comm;
    struct split_member *members = poe_alloc(NULL, (size_t)comm->n * sizeof *members);
    int *ranks = poe_alloc(NULL, (size_t)comm->n * sizeof *ranks);
    int n = 0;
    for (int place = 0; place < comm->n; place++) {
        const struct isp_call *c = &i->ops[place]->t.call;
        if (c->color != ISP_NO_COLOR)
            members[n++] = (struct split_member){c->color, c->key, place, comm->members[place]};
    }
    qsort(members, (size_t)n, sizeof *members, by_color_and_key);
    for (int first = 0, end; first < n; first = end) {
        for (end = first; end < n && members[end].color == members[first].color; end++)
            ranks[end - first] = members[end].rank;
        struct poe_comm *c = make_by(poe, comm, i->ops[members[first].place], ranks, end - first);
        for (int k = first; k < end; k++)
            made[members[k].place] = c->number;
    }
    free(members);
    free(ranks);
}

static void make_groups(struct poe *poe, struct poe_instance *i, int *made)
{
    struct poe_comm *comm = i->comm;
    for (int place = 0; place < comm->n; place++) {
        const struct poe_op *op = i->ops[place];
        bool member = false;
        for (uint32_t k = 0; op && k < op->t.call.n; k++)
            member |= op->t.call.list[k] == (uint32_t)comm->members[place];
        if (!member || made[place] != ISP_NO_COMM)
            continue;
        struct poe_comm *c = make_by(poe, comm, op, (const int *)op->t.call.list, (int)op->t.call.n);
        c->n_first = op->t.call.key > 0 && (uint32_t)op->t.call.key < op->t.call.n ? op->t.call.key : 0;
        for (uint32_t k = 0; k < op->t.call.n; k++)
            made[poe_comm_place(comm, (int)op->t.call.list[k])] = c->number;
    }
}

/* made: by place. */
static void make(struct poe *poe, struct poe_instance *i, int *made)
{
    const struct poe_op *leader = poe_instance_first(i);
    for (int place = 0; place < i->comm->n; place++)
        made[place] = ISP_NO_COMM;
    switch (leader->t.call.mode) {
    case ISP_MAKE_SAME: {
        struct poe_comm *c = make_by(poe, i->comm, leader, i->comm->members, i->comm->n);
        c->n_first = i->comm->n_first;
        for (int place = 0; place < i->comm->n; place++)
            made[place] = c->number;
        break;
    }
    case ISP_MAKE_SPLIT: make_split(poe, i, made); break;
    case ISP_MAKE_GROUP: make_groups(poe, i, made); break;
    default: break;
    }
}

/* ---- firing ---- */

/* Blocking and nonblocking calls do not match (MPI 4.0, 6.12), nor do persistent ones with others: these are
 * other functions. */
bool poe_instance_agrees(const struct poe_instance *i)
{
    const struct isp_call *leader = &poe_instance_first(i)->t.call;
    for (int place = 0; place < i->comm->n; place++) {
        const struct isp_call *c = i->ops[place] ? &i->ops[place]->t.call : leader;
        if (!poe_collective_is_same(c, leader))
            return false;
    }
    return true;
}

/* The members are in the match set; their clocks are joined to *all. */
static void gather(struct poe *poe, const struct poe_instance *i, struct poe_clock **all)
{
    for (int place = 0; place < i->comm->n; place++) {
        if (!i->ops[place])
            continue;
        poe_fired_member(poe, i->ops[place]);
        struct poe_clock *joined = poe_clock_join(poe->arena, *all, i->ops[place]->posted);
        poe_clock_drop(poe->arena, *all);
        *all = joined;
    }
}

static void finish_op(struct poe *poe, const struct poe_instance *i, struct poe_op *op, struct poe_clock *all,
                      int made, uint32_t barrier)
{
    bool left = op->t.completed; /* it took nothing, and did not wait */
    bool flows = op->t.call.flow != ISP_FLOW_ALL || op->t.call.flags & ISP_F_TAKES_NOTHING;
    op->t.matched = true;
    if (left) {
        /* its clock says what it knew */
    } else if (barrier != POE_NO_BARRIER) {
        op->done = poe_barrier_clock(poe, all, op, barrier);
    } else if (flows && !poe->config.buffered) {
        struct poe_clock *flow = poe_flow_clock(poe, i, op);
        op->done = poe_clock_mix(poe->arena, all, flow);
        poe_clock_drop(poe->arena, flow);
    } else {
        op->done = poe_clock_keep(all);
    }
    op->instance = NULL;
    op->new_comm = made;
    if (!(op->t.call.flags & ISP_F_SLOT)) {
        poe_fence_release(poe, op, &(struct isp_result){.flag = 1, .new_comm = made});
        return;
    }
    poe_fired_effect(poe, op->t.rank)->action =
        (struct isp_action){.kind = ISP_ACTION_ISSUE, .handle = op->t.call.handle, .peer = made};
    if (!left)
        poe_fence_complete(poe, op);
    poe_op_bury_if_over(poe, op);
}

static void finish(struct poe *poe, struct poe_instance *i, struct poe_clock *all, const int *made)
{
    uint32_t barrier = poe_barrier_group(poe, i);
    for (int place = 0; place < i->comm->n; place++)
        if (i->ops[place])
            finish_op(poe, i, i->ops[place], all, made[place], barrier);
    poe_instance_destroy(poe, i);
}

static void fire_inter(struct poe *poe, struct poe_instance *i, struct poe_clock **all)
{
    gather(poe, i->other, all);
    struct poe_instance *sides[] = {i, i->other};
    int number = poe_intercomm_make(poe, i);
    for (int side = 0; side < 2; side++) {
        int n = sides[side]->comm->n;
        int *made = poe_alloc(NULL, (size_t)n * sizeof *made);
        for (int place = 0; place < n; place++)
            made[place] = number;
        finish(poe, sides[side], *all, made);
        free(made);
    }
}

enum poe_state poe_collective_fire(struct poe *poe, struct poe_instance *i)
{
    struct poe_clock *all = NULL;
    gather(poe, i, &all);
    bool agrees = poe_instance_agrees(i);
    if (agrees && i->other) {
        fire_inter(poe, i, &all);
    } else if (agrees && poe_instance_first(i)->t.call.mode != ISP_MAKE_INTER) {
        /* else leaders differ: see what fired */
        int *made = poe_alloc(NULL, (size_t)i->comm->n * sizeof *made);
        make(poe, i, made);
        finish(poe, i, all, made);
        free(made);
    }
    poe_clock_drop(poe->arena, all);
    return agrees ? POE_FIRED : POE_MISMATCH;
}

/* In an order that does not depend on when it came. */
static bool is_before(const struct poe_instance *a, const struct poe_instance *b)
{
    const struct poe_transition *x = &poe_instance_first(a)->t, *y = &poe_instance_first(b)->t;
    return x->rank != y->rank ? x->rank < y->rank : x->index < y->index;
}

void poe_collective_clashes(struct poe *poe, struct poe_instance *i)
{
    if (i->clashes)
        return;
    i->clashes = true;
    poe->clashes = poe_arena_grow(poe->arena, poe->clashes, &poe->clashes_room, poe->n_clashes + 1,
                                  sizeof *poe->clashes);
    poe->clashes[poe->n_clashes++] = i;
}

enum poe_state poe_collective_clash(struct poe *poe)
{
    struct poe_instance *first = poe->clashes[0];
    for (uint32_t i = 1; i < poe->n_clashes; i++)
        if (is_before(poe->clashes[i], first))
            first = poe->clashes[i];
    poe_fired_clear(poe);
    return poe_collective_fire(poe, first);
}
