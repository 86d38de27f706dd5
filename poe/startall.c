/* SPDX-License-Identifier: BSD-3-Clause */
/* See startall.h. Sends of one call are next to each other in its rank's program order, and live until
 * they are waited for. */
#include "startall.h"

#include "cut.h"
#include "isp/functions.h"

static bool are_of_one(const struct poe_op *a, const struct poe_op *b)
{
    const struct isp_call *x = &a->t.call, *y = &b->t.call;
    return y->op == ISP_OP_SEND && x->fn == y->fn && x->site == y->site && x->thread == y->thread &&
           a->t.index + 1 == b->t.index;
}

static bool are_rivals(const struct poe_op *a, const struct poe_op *b)
{
    const struct isp_call *x = &a->t.call, *y = &b->t.call;
    return x->comm == y->comm && x->peer == y->peer && x->tag != y->tag;
}

void poe_startall_found(struct poe *poe, struct poe_op *send, const struct poe_op *taker)
{
    if (send->t.call.fn != ISP_FN_MPI_Startall)
        return;
    bool any = taker->t.call.tag == ISP_ANY_TAG;
    if (any && !send->any_taker)
        send->any_taker = taker->t.index + 1;
    for (const struct poe_op *a = send, *b = a->live_next; any && b && are_of_one(a, b); b = (a = b)->live_next)
        if (b->queued && are_rivals(send, b))
            poe_cut_note(poe, POE_CUT_STARTALL, send);
    for (const struct poe_op *b = send, *a = b->live_prev; a && are_of_one(a, b); b = a, a = a->live_prev)
        /* else it was posted before */
        if (a->any_taker && a->any_taker <= taker->t.index && are_rivals(a, send))
            poe_cut_note(poe, POE_CUT_STARTALL, a);
}
