/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins: see join.h. */
#include "join.h"

#include "clock.h"
#include "fence.h"
#include "operation.h"

static bool is_twice(const struct isp_call *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (c->list[k] == c->list[i])
            return true;
    return false;
}

bool poe_join_is_valid(struct poe *poe, int rank, const struct isp_call *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct poe_op *x = poe_op_find(poe, rank, c->list[i]);
        bool message = x && (x->t.call.op == ISP_OP_SEND || x->t.call.op == ISP_OP_RECV);
        if (!message || x->t.consumed || x->waited_by || is_twice(c, i))
            return false;
    }
    return c->n > 0 && !(c->flags & ISP_F_FENCE);
}

/* It knows what the operation knows. Of several decisions one is kept: a clock may claim less than is
 * true. */
static void learn(struct poe *poe, struct poe_op *join, const struct poe_op *child)
{
    struct poe_clock *done = poe_clock_join(poe->arena, join->done, child->done);
    poe_clock_drop(poe->arena, join->done);
    join->done = done;
    join->decision = child->decision ? child->decision : join->decision;
}

static void complete(struct poe *poe, struct poe_op *join)
{
    join->t.matched = true;
    poe_fence_complete(poe, join);
    poe_op_bury_if_over(poe, join);
}

void poe_join_add(struct poe *poe, struct poe_op *join)
{
    join->local = true;
    for (uint32_t i = 0; i < join->t.call.n; i++) {
        struct poe_op *x = poe_op_find(poe, join->t.rank, join->list[i]);
        join->local &= poe_op_is_local(x);
        if (x->t.completed)
            learn(poe, join, x);
        else
            x->join = join, join->missing++;
        join->standard |= !x->t.completed && x->t.call.op == ISP_OP_SEND && x->t.call.mode != ISP_SEND_SYNC;
        x->t.consumed = true;
        poe_op_bury_if_over(poe, x);
    }
    if (!join->missing)
        complete(poe, join);
}

void poe_join_completed(struct poe *poe, struct poe_op *child)
{
    struct poe_op *join = child->join;
    child->join = NULL;
    learn(poe, join, child);
    if (--join->missing == 0)
        complete(poe, join);
}

struct poe_op *poe_join_pending(const struct poe *poe, const struct poe_op *join, const struct poe_op *child)
{
    struct poe_op *x = child ? child->live_next : poe->ranks[join->t.rank].live_first;
    while (x && x->join != join)
        x = x->live_next;
    return x;
}
