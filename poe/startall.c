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

/* One of the call that came before was taken as of any tag, by something that could have had this one:
 * nothing that was posted before it has taken this one. `taker`: what has, an index + 1. */
static void note_earlier(struct poe *poe, const struct poe_op *send, uint64_t taker)
{
    for (const struct poe_op *b = send, *a = b->live_prev; a && are_of_one(a, b); b = a, a = a->live_prev)
        if (a->any_taker && a->any_taker < taker && are_rivals(a, send))
            poe_cut_note(poe, POE_CUT_STARTALL, a);
}

void poe_startall_found(struct poe *poe, struct poe_op *send, const struct poe_op *taker)
{
    if (send->t.call.fn != ISP_FN_MPI_Startall)
        return;
    bool any = taker->t.call.tag == ISP_ANY_TAG;
    if (any && !send->any_taker)
        send->any_taker = taker->t.index + 1;
    for (const struct poe_op *a = send, *b = a->live_next; any && b && are_of_one(a, b);
         b = (a = b)->live_next)
        if (b->queued && are_rivals(send, b))
            poe_cut_note(poe, POE_CUT_STARTALL, send);
    note_earlier(poe, send, taker->t.index + 1);
}

void poe_startall_left(struct poe *poe, const struct poe_op *send)
{
    if (send->t.call.fn == ISP_FN_MPI_Startall)
        note_earlier(poe, send, UINT64_MAX);
}
