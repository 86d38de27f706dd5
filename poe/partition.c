/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of a partitioned message: see partition.h. */
#include "partition.h"

#include "clock.h"
#include "communicator.h"
#include "cut.h"
#include "fence.h"
#include "operation.h"
#include "ready.h"

static bool is_of_request(const struct poe_op *op, const struct poe_op *whole)
{
    const struct isp_call *a = &op->t.call, *b = &whole->t.call;
    return a->op == b->op && a->flags & ISP_F_PARTITIONED && a->comm == b->comm && a->peer == b->peer &&
           a->tag == b->tag;
}

/* The next unit of the same start, after `op`; NULL: there is none. */
static struct poe_op *next_unit(const struct poe_op *op, const struct poe_op *whole)
{
    struct poe_op *x = op->live_next;
    while (x && !is_of_request(x, whole))
        x = x->live_next;
    return x && isp_call_is_unit(&x->t.call) ? x : NULL;
}

static void cancel(struct poe *poe, struct poe_op *unit)
{
    unit->t.cancelled = true;
    poe_fired_effect(poe, unit->t.rank)->action =
        (struct isp_action){.kind = ISP_ACTION_CANCEL, .handle = unit->t.call.handle, .peer = ISP_NO_RANK};
}

void poe_partition_asked(struct poe_op *complete)
{
    for (uint32_t i = 0; i < complete->t.call.n; i++)
        if (isp_call_is_unit(&complete->waits[i]->t.call))
            complete->waits[i]->asked_with = complete->t.call.n;
}

/* The sender has done something else between one partition and the next. */
static bool is_sent_in_parts(const struct poe_op *send)
{
    for (const struct poe_op *unit = next_unit(send, send), *next; unit; unit = next) {
        next = next_unit(unit, send);
        if (next && next->t.index != unit->t.index + 1)
            return true;
    }
    return false;
}

/* The receiver could have seen that a partition is there before that. */
static void note_cut(struct poe *poe, const struct poe_op *send, const struct poe_op *receive)
{
    for (const struct poe_op *unit = next_unit(receive, receive); unit; unit = next_unit(unit, receive))
        if (unit->asked_with && unit->asked_with < (uint32_t)receive->t.call.key && is_sent_in_parts(send)) {
            poe_cut_note(poe, POE_CUT_UNITS, receive);
            return;
        }
}

void poe_partition_match(struct poe *poe, struct poe_op *send, struct poe_op *receive)
{
    if (send->t.call.key == receive->t.call.key)
        return;
    note_cut(poe, send, receive);
    struct poe_comm *comm = poe_comm_find(poe, receive->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, receive->t.rank);
    for (struct poe_op *unit = next_unit(send, send), *next; unit; unit = next) {
        next = next_unit(unit, send);
        if (!unit->queued)
            continue;
        poe_channel_remove(poe_inbox_channel(poe, inbox, send->t.rank), unit);
        cancel(poe, unit);
        poe_op_bury_if_over(poe, unit);
    }
    for (struct poe_op *unit = next_unit(receive, receive), *next; unit; unit = next) {
        next = next_unit(unit, receive);
        if (!unit->queued)
            continue;
        poe_inbox_remove(poe, inbox, unit);
        cancel(poe, unit);
        unit->done = poe_clock_keep(receive->done);
        poe_fence_complete(poe, unit);
        poe_op_bury_if_over(poe, unit);
    }
}
