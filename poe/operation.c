/* SPDX-License-Identifier: BSD-3-Clause */
/* Live operations: see state.h for their life. Memory is pooled: a run of a million calls
 * allocates as many operations as are live at one time. */
#include "operation.h"

#include <string.h>

#include "clock.h"
#include "kept.h"
#include "race.h"

bool poe_op_is_wildcard(const struct poe_op *op)
{
    return (op->t.call.op == ISP_OP_RECV || op->t.call.op == ISP_OP_PROBE) &&
           op->t.call.peer == ISP_ANY_SOURCE &&
           !(op->t.call.op == ISP_OP_RECV && op->t.call.mode == ISP_RECV_MESSAGE);
}

bool poe_op_is_local(const struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    if (c->op == ISP_OP_JOIN)
        return op->local;
    bool message = c->op == ISP_OP_SEND || (c->op == ISP_OP_RECV && c->mode == ISP_RECV_NORMAL);
    return message && c->peer == ISP_NO_RANK && !op->t.held;
}

bool poe_op_is_undelivered(const struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    return c->op == ISP_OP_SEND && c->mode == ISP_SEND_BUFFERED && c->peer != ISP_NO_RANK && !op->t.matched &&
           !op->t.cancelled && !op->elsewhere;
}

bool poe_op_is_buffered(const struct poe *poe, const struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    return c->mode == ISP_SEND_BUFFERED || (c->flags & ISP_F_DETACHED) ||
           (poe->config.buffered && c->mode != ISP_SEND_SYNC && !op->unkept);
}

static struct poe_op *from_pool(struct poe *poe, uint32_t list)
{
    struct poe_op *op = poe->pool;
    if (op)
        poe->pool = op->next;
    else
        op = poe_arena_new(poe->arena, sizeof *op);
    uint32_t room = op->list_room;
    uint32_t *entries = op->list, *taken = op->taken;
    struct poe_op **waits = op->waits;
    uint64_t *slept = op->slept;
    if (list > room) {
        uint32_t same = room;
        entries = poe_arena_grow(poe->arena, entries, &same, list, sizeof *entries);
        same = room;
        waits = poe_arena_grow(poe->arena, waits, &same, list, sizeof(struct poe_op *));
        taken = poe_arena_grow(poe->arena, taken, &room, list, sizeof *taken);
    }
    memset(op, 0, sizeof *op);
    op->list = entries, op->waits = waits, op->taken = taken, op->list_room = room;
    poe_arena_free(poe->arena, slept);
    return op;
}

static void live_append(struct poe_rank *r, struct poe_op *op)
{
    op->live_prev = r->live_last;
    *(r->live_last ? &r->live_last->live_next : &r->live_first) = op;
    r->live_last = op;
}

struct poe_op *poe_op_create(struct poe *poe, int rank, const struct isp_call *call)
{
    struct poe_rank *r = &poe->ranks[rank];
    uint32_t words = (uint32_t)isp_call_words(call);
    struct poe_op *op = from_pool(poe, words);
    op->t.rank = rank;
    op->t.call = *call;
    struct poe_thread *thread = poe_thread_of(poe, op);
    op->t.index = (uint64_t)call->thread << POE_THREAD_SHIFT | thread->next_index++;
    op->t.call.list = op->list;
    op->t.call.map = NULL;
    op->t.call.n_map = 0;
    if (words)
        memcpy(op->list, call->list, words * sizeof *op->list);
    op->t.source = ISP_NO_RANK;
    op->t.held = call->flags & ISP_F_HELD;
    op->unkept = poe_kept_waits(poe, op);
    op->posted = poe_clock_keep(thread->now);
    op->born = poe->n_decisions;
    live_append(r, op);
    op->new_comm = ISP_NO_COMM;
    if (isp_call_has_slot(call)) {
        r->slots =
            poe_arena_grow(poe->arena, r->slots, &r->n_slots, call->handle + 1, sizeof(struct poe_op *));
        r->slots[call->handle] = op;
    }
    op->t.consumed = call->flags & (ISP_F_FENCE | ISP_F_DETACHED) && call->op != ISP_OP_PROBE;
    return op;
}

struct poe_op *poe_op_find(struct poe *poe, int rank, uint32_t handle)
{
    struct poe_rank *r = &poe->ranks[rank];
    return handle < r->n_slots ? r->slots[handle] : NULL;
}

static void free_slot(struct poe_rank *r, const struct poe_op *op)
{
    uint32_t handle = op->t.call.handle;
    if (handle < r->n_slots && r->slots[handle] == op)
        r->slots[handle] = NULL;
}

void poe_op_bury(struct poe *poe, struct poe_op *op)
{
    struct poe_rank *r = &poe->ranks[op->t.rank];
    *(op->live_prev ? &op->live_prev->live_next : &r->live_first) = op->live_next;
    *(op->live_next ? &op->live_next->live_prev : &r->live_last) = op->live_prev;
    free_slot(r, op);
    op->next = poe->grave;
    poe->grave = op;
}

void poe_op_bury_if_over(struct poe *poe, struct poe_op *op)
{
    bool done = op->t.matched || op->t.cancelled || poe_op_is_local(op);
    if (!done || !op->t.consumed || poe_op_is_fence_of_thread(poe, op))
        return;
    if (op->instance) /* a member that comes late is still compared with it */
        free_slot(&poe->ranks[op->t.rank], op);
    else
        poe_op_bury(poe, op);
}

void poe_op_reap(struct poe *poe)
{
    struct poe_op *op;
    while ((op = poe->grave)) {
        poe->grave = op->next;
        poe_clock_drop(poe->arena, op->posted);
        poe_clock_drop(poe->arena, op->done);
        poe_clock_drop(poe->arena, op->marked_at);
        poe_race_unwatch(poe, op);
        op->next = poe->pool;
        poe->pool = op;
    }
}
