/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelled operations: see cancel.h. */
#include "cancel.h"

#include "clock.h"
#include "communicator.h"
#include "cut.h"
#include "fence.h"
#include "match_set.h"
#include "matches_before.h"
#include "operation.h"
#include "race.h"
#include "ready.h"

static bool is_send(const struct poe_op *op) { return op->t.call.op == ISP_OP_SEND; }

/* The program knows that it is complete, so that nothing can be cancelled. */
static bool is_known(const struct poe_op *op) { return op->told || poe_op_is_local(op); }

static struct poe_inbox *inbox_of(struct poe *poe, const struct poe_op *op)
{
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    return poe_comm_inbox(comm, is_send(op) ? op->t.call.peer : op->t.rank);
}

static void call_of_send(struct poe *poe, struct poe_op *fence, struct poe_op *send)
{
    fence->message = send;
    if (send->t.completed || !send->queued)
        poe_ready_fence(poe, fence); /* a claimed match completes by itself */
    else
        send->waited_by = fence, fence->missing = 1;
}

void poe_cancel_call(struct poe *poe, struct poe_op *fence, struct poe_op *op)
{
    if (is_send(op)) {
        call_of_send(poe, fence, op);
        return;
    }
    poe_ready_fence(poe, fence);
    if (op->marked || is_known(op))
        return;
    if (op->queued) {
        op->marked = true;
        op->marked_at = poe_clock_keep(fence->posted);
        poe_inbox_open(poe, inbox_of(poe, op), op);
    } else if (op->decision) {
        poe_race_cancel(poe, fence, op);
    } else {
        poe_cut_note(poe, POE_CUT_CANCEL, fence);
    }
}

/* A receive that it might have matched if it had not been cancelled. */
static bool could_match(const struct poe_op *send, const struct poe_op *op)
{
    return op->t.call.comm == send->t.call.comm && op->t.rank == send->t.call.peer && mb_accepts(op, send);
}

static void withdraw(struct poe *poe, struct poe_op *send, const struct poe_op *fence)
{
    for (const struct poe_op *r = inbox_of(poe, send)->first; r; r = r->next)
        if (could_match(send, r))
            poe_cut_note(poe, POE_CUT_CANCEL, fence);
    struct poe_op *copy = poe_arena_new(poe->arena, sizeof *copy);
    *copy = (struct poe_op){.t = {.rank = send->t.rank, .call = send->t.call}, .next = poe->withdrawn};
    poe->withdrawn = copy;
}

void poe_cancel_wanted(struct poe *poe, const struct poe_op *op)
{
    for (const struct poe_op *send = poe->withdrawn; send; send = send->next)
        if (could_match(send, op))
            poe_cut_note(poe, POE_CUT_CANCEL, send);
}

void poe_cancel_take(struct poe *poe, struct poe_op *op)
{
    bool receive = op->t.call.op == ISP_OP_RECV;
    struct poe_op *x = receive ? op : op->message;
    struct poe_comm *comm = poe_comm_find(poe, x->t.call.comm);
    struct poe_inbox *inbox = inbox_of(poe, x);
    if (receive) {
        poe_inbox_remove(poe, inbox, x);
        x->done = poe_clock_keep(x->marked_at);
        poe_race_unshield(poe, comm, inbox, x);
    } else {
        poe_channel_remove(poe_inbox_channel(poe, inbox, x->t.rank), x);
        withdraw(poe, x, op);
    }
    poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_CANCELLED, .a = x});
    poe_match_rescan(poe, comm, inbox);
}

void poe_cancel_fire(struct poe *poe, struct poe_op *op)
{
    op->t.cancelled = true;
    poe_fired_member(poe, op);
    poe_fired_effect(poe, op->t.rank)->action =
        (struct isp_action){.kind = ISP_ACTION_CANCEL, .handle = op->t.call.handle, .peer = ISP_NO_RANK};
    poe_fence_complete(poe, op);
    poe_op_bury_if_over(poe, op);
}

void poe_cancel_answered(struct poe *poe, const struct poe_op *fence)
{
    struct poe_op *send = fence->message;
    if (!send)
        return;
    send->waited_by = NULL;
    if (!send->t.cancelled && !is_known(send))
        poe_cut_note(poe, POE_CUT_CANCEL, fence);
}
