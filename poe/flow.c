/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows: see flow.h. */
#include "flow.h"

#include "clock.h"
#include "fence.h"
#include "operation.h"
#include "ready.h"

/* ---- whose data an operation needs ---- */

static int place_of(const struct poe_op *op) { return poe_comm_place(op->instance->comm, op->t.rank); }

/* In an intercommunicator the root's neighbours have no part in it. */
static bool takes_part(const struct poe_op *op) { return op->t.call.root != ISP_NO_RANK; }

static bool is_root(const struct poe_op *op) { return op->t.call.root == op->t.rank; }

static bool takes_nothing(const struct poe_op *op) { return op->t.call.flags & ISP_F_TAKES_NOTHING; }

static bool needs(const struct poe_op *op, int place)
{
    const struct isp_call *c = &op->t.call;
    const struct poe_comm *comm = op->instance->comm;
    if (takes_nothing(op))
        return false;
    switch (c->flow) {
    case ISP_FLOW_FROM_ROOT: return takes_part(op) && !is_root(op) && comm->members[place] == c->root;
    case ISP_FLOW_TO_ROOT: return is_root(op) && place != place_of(op);
    case ISP_FLOW_PREFIX: return place < place_of(op);
    case ISP_FLOW_LIST:
    case ISP_FLOW_SOURCES:
        for (uint32_t k = 0; k < c->n; k++)
            if (c->list[k] == (uint32_t)comm->members[place])
                return true;
        return false;
    default: return place != place_of(op);
    }
}

/* Whether the member's call counts: it is there and, if the instance flows, was fired. One of another
 * function gives nothing. */
static bool is_there(const struct poe_op *op, int place)
{
    const struct poe_op *other = op->instance->ops[place];
    return other && (op->instance->flow == ISP_FLOW_ALL || other->entered) &&
           (!op->instance->clashes || poe_collective_is_same(&other->t.call, &op->t.call));
}

static bool source_is_there(const struct poe_op *op, uint32_t entry)
{
    return entry & ISP_SOURCE_EMPTY || is_there(op, poe_comm_place(op->instance->comm, (int)entry));
}

/* The rank that the member names has called, and is a root: of another side's members that name no root it is
 * not known who they are. */
static bool root_is_there(const struct poe_op *op)
{
    int place = poe_comm_place(op->instance->comm, op->t.call.root);
    return is_there(op, place) && is_root(op->instance->ops[place]);
}

bool poe_flow_has_input(const struct poe_op *op)
{
    const struct poe_instance *i = op->instance;
    const struct isp_call *c = &op->t.call;
    if (takes_nothing(op))
        return true;
    switch (c->flow) {
    case ISP_FLOW_FROM_ROOT: return !takes_part(op) || root_is_there(op);
    case ISP_FLOW_PREFIX:
        for (int place = place_of(op) - 1; place >= 0; place--) {
            if (!is_there(op, place))
                return false;
            if (i->ops[place]->t.completed) /* so are those before it */
                return true;
        }
        return true;
    case ISP_FLOW_LIST:
    case ISP_FLOW_SOURCES:
        for (uint32_t k = 0; k < c->n; k++)
            if (!source_is_there(op, c->list[k]))
                return false;
        return true;
    default: /* TO_ROOT's root, ALL */
        return (c->flow == ISP_FLOW_TO_ROOT && !is_root(op)) ||
               (!i->clashes && (i->flow == ISP_FLOW_ALL ? i->arrived : i->entered) == i->needed);
    }
}

void poe_flow_missing(const struct poe_op *op, bool *wanted)
{
    const struct poe_instance *i = op->instance;
    for (int place = 0; place < i->comm->n; place++)
        if (!is_there(op, place) && needs(op, place))
            wanted[i->comm->members[place]] = true;
}

struct poe_clock *poe_flow_clock(struct poe *poe, const struct poe_instance *i, const struct poe_op *op)
{
    struct poe_clock *clock = poe_clock_keep(op->posted);
    for (int place = 0; place < i->comm->n; place++) {
        if (!i->ops[place] || !needs(op, place))
            continue;
        struct poe_clock *joined = poe_clock_join(poe->arena, clock, i->ops[place]->posted);
        poe_clock_drop(poe->arena, clock);
        clock = joined;
    }
    return clock;
}

bool poe_flow_is_valid(const struct poe *poe, const struct poe_comm *comm, const struct isp_call *c)
{
    if (c->flags & ISP_F_TAKES_NOTHING && (c->mode != ISP_MAKE_NOTHING || c->flags & ISP_F_SUBSET))
        return false;
    if (c->flow == ISP_FLOW_ALL)
        return true;
    bool frees = c->mode == ISP_MAKE_FREE && c->flow == ISP_FLOW_LIST && c->n == 0;
    if (c->flow > ISP_FLOW_LAST || (c->mode != ISP_MAKE_NOTHING && !frees) || (c->flags & ISP_F_SUBSET))
        return false;
    bool root = c->root >= 0 && c->root < poe->config.ranks && poe_comm_place(comm, c->root) >= 0;
    bool rooted = c->flow == ISP_FLOW_FROM_ROOT || c->flow == ISP_FLOW_TO_ROOT;
    return !rooted || root || c->root == ISP_NO_RANK;
}

enum isp_flow poe_flow_of(const struct poe *poe, const struct isp_call *call)
{
    return poe->config.buffered && (call->flags & ISP_F_SLOT) ? call->flow : ISP_FLOW_ALL;
}

bool poe_flow_may_leave(const struct poe_op *op)
{
    const struct poe_comm *comm = op->instance->comm;
    bool leaves =
        takes_nothing(op) || (op->t.call.flow != ISP_FLOW_ALL && op->t.call.flow != ISP_FLOW_SOURCES);
    for (int place = 0; place < comm->n && !leaves; place++)
        leaves = place != place_of(op) && !needs(op, place);
    return leaves;
}

/* ---- firing ---- */

static void act(struct poe *poe, const struct poe_op *op, enum isp_action_kind kind, int peer, int32_t tag)
{
    poe_fired_effect(poe, op->t.rank)->action =
        (struct isp_action){.kind = (uint8_t)kind, .handle = op->t.call.handle, .peer = peer, .tag = tag};
}

static void move_part(struct poe *poe, const struct poe_op *from, const struct poe_op *to, uint32_t more)
{
    act(poe, from, ISP_ACTION_PART_SEND, to->t.rank, 0);
    act(poe, to, ISP_ACTION_PART_RECV, from->t.rank, (int32_t)more);
}

static void move_list(struct poe *poe, const struct poe_op *op)
{
    const struct poe_instance *i = op->instance;
    uint32_t left = 0;
    for (uint32_t k = 0; k < op->t.call.n; k++)
        left += !(op->t.call.list[k] & ISP_SOURCE_EMPTY);
    for (uint32_t k = 0; k < op->t.call.n; k++)
        if (!(op->t.call.list[k] & ISP_SOURCE_EMPTY))
            move_part(poe, i->ops[poe_comm_place(i->comm, (int)op->t.call.list[k])], op, --left);
}

/* The slot's last action. */
static void end(struct poe *poe, struct poe_op *op)
{
    act(poe, op, ISP_ACTION_ISSUE, ISP_NO_COMM, 0);
    op->t.matched = true;
    poe_op_bury_if_over(poe, op);
}

/* It has called; what it gives the others is for later. */
static void complete_at_once(struct poe *poe, struct poe_op *op)
{
    op->done = poe_clock_keep(op->posted);
    poe_fence_complete(poe, op);
}

/* The parts that it needs are sent to it. */
static void move(struct poe *poe, struct poe_op *op)
{
    const struct poe_instance *i = op->instance;
    int place = place_of(op);
    op->moved = true;
    switch (op->t.call.flow) {
    case ISP_FLOW_FROM_ROOT:
        if (takes_part(op) && !is_root(op))
            move_part(poe, i->ops[poe_comm_place(i->comm, op->t.call.root)], op, 0);
        break;
    case ISP_FLOW_PREFIX:
        if (place > 0)
            move_part(poe, i->ops[place - 1], op, 0);
        break;
    case ISP_FLOW_LIST:
    case ISP_FLOW_SOURCES: move_list(poe, op); break;
    default: break;
    }
}

static void complete(struct poe *poe, struct poe_op *op)
{
    const struct poe_instance *i = op->instance;
    int place = place_of(op);
    enum isp_flow flow = op->t.call.flow;
    bool last = place == i->comm->n - 1;
    op->done = poe_flow_clock(poe, i, op);
    poe_fence_complete(poe, op);
    if (flow == ISP_FLOW_PREFIX && place > 0)
        end(poe, i->ops[place - 1]);
    if ((flow == ISP_FLOW_PREFIX && last) || (flow == ISP_FLOW_FROM_ROOT && !is_root(op)))
        end(poe, op);
}

/* All members have called: the slots that had to wait for that are done, and the instance is over. */
static void finish(struct poe *poe, struct poe_instance *i)
{
    for (int place = 0; place < i->comm->n; place++)
        if (!i->ops[place]->t.matched)
            end(poe, i->ops[place]);
    for (int place = 0; place < i->comm->n; place++) {
        struct poe_op *op = i->ops[place];
        op->instance = NULL;
        poe_op_bury_if_over(poe, op);
    }
    poe_instance_destroy(poe, i);
}

/* They are shown together if their roots differ, and in the end; what clashes is shown by itself, later. */
static bool show(struct poe *poe, const struct poe_instance *i, const struct poe_op *op)
{
    bool roots = false;
    for (int place = 0; place < i->comm->n && takes_part(op) && !i->clashes; place++)
        roots |= i->ops[place] && takes_part(i->ops[place]) && i->ops[place]->t.call.root != op->t.call.root;
    bool all = roots || (i->entered == i->needed && !i->clashes);
    for (int place = 0; place < i->comm->n; place++)
        if (i->ops[place] == op || (i->ops[place] && all))
            poe_fired_member(poe, i->ops[place]);
    return !roots;
}

void poe_flow_fire(struct poe *poe, struct poe_op *op)
{
    struct poe_instance *i = op->instance;
    op->entered = true;
    i->entered++;
    if (i->flow == ISP_FLOW_ALL) { /* all are shown when all have called: collective.c */
        poe_fired_member(poe, op);
        complete_at_once(poe, op);
        return;
    }
    if (!show(poe, i, op)) /* the caller sees it */
        return;
    for (int place = 0; place < i->comm->n; place++) {
        struct poe_op *other = i->ops[place];
        if (!other || !other->entered || other->t.completed || !poe_flow_has_input(other))
            continue;
        if (!other->moved && !takes_nothing(other))
            move(poe, other);
        if (other->unkept && i->entered < i->needed)
            continue;
        if (takes_nothing(other))
            complete_at_once(poe, other);
        else
            complete(poe, other);
    }
    if (i->entered == i->needed && !i->clashes)
        finish(poe, i);
}
