/* SPDX-License-Identifier: BSD-3-Clause */
/* Fences: see fence.h. */
#include "fence.h"

#include "attached.h"
#include "clock.h"
#include "join.h"
#include "operation.h"
#include "race.h"
#include "ready.h"
#include "record.h"
#include "unordered.h"

/* It asks about one operation, and leaves it to be asked about by other threads. */
static bool only_asks(const struct isp_call *c)
{
    return c->op == ISP_OP_COMPLETE && c->n == 1 && c->flags & ISP_F_KEEP;
}

static bool may_name(const struct isp_call *complete, const struct poe_op *op)
{
    return op && op->t.call.op != ISP_OP_PROBE && !op->t.consumed &&
           (!op->waited_by || (only_asks(complete) && only_asks(&op->waited_by->t.call)));
}

static void stop_waiting(struct poe_op *fence, struct poe_op *op)
{
    struct poe_op **at = &op->waited_by;
    while (*at && *at != fence)
        at = &(*at)->asks_too;
    if (*at)
        *at = fence->asks_too;
    fence->asks_too = NULL;
}

bool poe_fence_complete_is_valid(struct poe *poe, int rank, const struct isp_call *complete)
{
    uint32_t named = 0;
    for (; named < complete->n; named++) {
        struct poe_op *x = poe_op_find(poe, rank, complete->list[named]);
        if (!may_name(complete, x) || x->named)
            break;
        x->named = true;
    }
    for (uint32_t i = 0; i < named; i++)
        poe_op_find(poe, rank, complete->list[i])->named = false;
    return named == complete->n;
}

void poe_fence_complete_init(struct poe *poe, struct poe_op *op)
{
    for (uint32_t i = 0; i < op->t.call.n; i++) {
        struct poe_op *x = poe_op_find(poe, op->t.rank, op->list[i]);
        op->waits[i] = x;
        op->asks_too = x->waited_by;
        x->waited_by = op;
        op->missing += !x->t.completed;
    }
}

bool poe_fence_waits(const struct poe_op *fence)
{
    return !(fence->t.call.flags & ISP_F_POLL) || fence->exhausted;
}

bool poe_fence_is_deterministic(const struct poe_op *fence)
{
    const struct isp_call *c = &fence->t.call;
    return c->op == ISP_OP_CANCEL ||
           (c->op == ISP_OP_COMPLETE && poe_fence_waits(fence) && (c->mode == ISP_COMPLETE_ALL || c->n == 1));
}

bool poe_fence_is_known(const struct poe_op *fence)
{
    bool all = fence->t.call.mode == ISP_COMPLETE_ALL;
    for (uint32_t i = 0; i < fence->t.call.n; i++)
        if ((fence->waits[i]->told || poe_op_is_local(fence->waits[i])) != all)
            return !all;
    return all && fence->t.call.n;
}

void poe_fence_complete(struct poe *poe, struct poe_op *op)
{
    if (!op->t.completed) {
        op->t.completed = true;
        for (struct poe_op *by = op->waited_by; by; by = by->asks_too)
            if (--by->missing == 0 && poe_fence_is_deterministic(by))
                poe_ready_fence(poe, by);
        if (op->join)
            poe_join_completed(poe, op);
    }
    poe_race_completed(poe, op);
    if (poe_op_is_fence_of_thread(poe, op)) {
        struct isp_result result = {
            .flag = 1, .new_comm = op->new_comm, .source = op->t.source, .tag = op->t.tag};
        poe_fence_release(poe, op, &result);
    }
}

static bool has_undelivered(const struct poe *poe, int rank)
{
    for (const struct poe_op *op = poe->ranks[rank].live_first; op; op = op->live_next)
        if (poe_op_is_undelivered(op))
            return true;
    return false;
}

void poe_fence_detach(struct poe *poe, struct poe_op *fence)
{
    bool kept = poe->config.buffered && !fence->unkept;
    for (struct poe_op *op = poe->ranks[fence->t.rank].live_first; kept && op; op = op->live_next)
        op->elsewhere = op->elsewhere || poe_op_is_undelivered(op);
    poe->standard_sends |= !poe->config.buffered; /* another run may have room for the messages elsewhere */
    if (kept || !has_undelivered(poe, fence->t.rank))
        poe_ready_fence(poe, fence);
}

void poe_fence_delivered(struct poe *poe, int rank)
{
    const struct poe_rank *r = &poe->ranks[rank];
    for (uint32_t i = 0; i < r->n_threads; i++) {
        struct poe_op *fence = r->threads[i].fence;
        if (fence && fence->t.call.op == ISP_OP_DETACH && !has_undelivered(poe, rank))
            poe_ready_fence(poe, fence);
    }
}

/* The program knows the decision that matched this operation: advances the known prefix. */
static void learn_decision(struct poe_thread *r, uint32_t decision)
{
    if (!decision)
        return;
    r->is_known[decision] = 1;
    while (r->known < r->decisions && r->is_known[r->known + 1])
        r->known++;
}

/* The thread of `fence` learns what is known where `op` completes. Of a decision that another thread's
 * operation was, it learns no more than the clock says: that may be less than is true. */
static void learn(struct poe *poe, const struct poe_op *fence, const struct poe_op *op)
{
    struct poe_thread *t = poe_thread_of(poe, fence);
    poe_unordered_learns(poe, fence, op->done);
    struct poe_clock *now = poe_clock_join(poe->arena, t->now, op->done);
    poe_clock_drop(poe->arena, t->now);
    t->now = now;
    if (op->t.call.thread == fence->t.call.thread)
        learn_decision(t, op->decision);
}

void poe_fence_release(struct poe *poe, struct poe_op *fence, const struct isp_result *result)
{
    struct poe_thread *t = poe_thread_of(poe, fence);
    learn(poe, fence, fence);
    if (t->known != poe_clock_at(t->now, POE_CLOCK_ZERO, t->component))
        t->now = poe_clock_set(poe->arena, t->now, t->component, t->known, true, true, true);
    t->fence = NULL;
    poe->hooks->let_go(poe, fence->t.rank, fence->t.call.thread);
    poe_runs(poe, fence->t.rank);
    fence->t.completed = true;
    if (fence->t.call.flags & ISP_F_POLL)
        poe->hooks->poll_answered(poe, fence, result->flag);
    struct poe_effect *e = poe_fired_effect(poe, fence->t.rank);
    e->release = true;
    e->thread = fence->t.call.thread;
    e->result = *result;
    bool kept = fence->t.call.op == ISP_OP_PROBE ? fence->t.matched : true;
    /* else who fired it does; its Mrecv, if it is a matched probe */
    if (!kept || !isp_call_has_slot(&fence->t.call))
        poe_op_bury(poe, fence);
}

/* The operation that a successful completion names: its request is gone. */
static void consume(struct poe *poe, const struct poe_op *fence, struct poe_op *x)
{
    learn(poe, fence, x);
    if (fence->t.call.flags & ISP_F_KEEP) {
        x->told = true;
        return;
    }
    x->t.consumed = true;
    poe_op_bury_if_over(poe, x);
}

void poe_fence_answer(struct poe *poe, struct poe_op *fence)
{
    struct isp_result result = {.flag = fence->answer == POE_ANSWER_YES, .new_comm = ISP_NO_COMM};
    if (!result.flag)
        poe_record_no(poe, fence);
    poe_fired_member(poe, fence);
    if (fence->t.call.op == ISP_OP_CANCEL) {
        poe->hooks->cancel_answered(poe, fence);
    }
    if (fence->t.call.op == ISP_OP_DETACH)
        poe_attached_detach(poe, fence->t.rank);
    if (fence->t.call.op == ISP_OP_DETACH)
        fence->done = poe_clock_mix(poe->arena, poe->ranks[fence->t.rank].delivered, fence->posted);
    if (fence->t.call.op == ISP_OP_COMPLETE) {
        bool all = fence->t.call.mode == ISP_COMPLETE_ALL;
        bool known = poe_fence_is_known(fence);
        fence->cut = fence->cut && !known;
        fence->stale = known && (fence->t.call.flags & ISP_F_KEEP);
        if (poe_fence_is_deterministic(fence) && !all)
            fence->taken[0] = 0, fence->n_taken = 1;
        for (uint32_t i = 0; i < fence->t.call.n; i++)
            stop_waiting(fence, fence->waits[i]);
        if (result.flag) {
            fence->t.matched = true;
            poe_record_yes(poe, fence);
            for (uint32_t i = 0; i < (all ? fence->t.call.n : fence->n_taken); i++)
                consume(poe, fence, fence->waits[all ? i : fence->taken[i]]);
        }
        result.flag = result.flag && fence->stale ? 2 : result.flag;
        if (result.flag && !all)
            result.n = fence->n_taken, result.list = fence->taken;
    }
    poe_fence_release(poe, fence, &result);
}
