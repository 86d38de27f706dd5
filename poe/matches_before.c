/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches-before: see matches_before.h. */
#include "matches_before.h"

#include <stdlib.h>

#include "operation.h"

static bool tags_meet(int32_t a, int32_t b)
{
    return a == b || a == ISP_ANY_TAG || b == ISP_ANY_TAG;
}

bool mb_accepts(const struct poe_op *receive, const struct poe_op *send)
{
    const struct isp_call *r = &receive->t.call;
    uint16_t kinds = ISP_F_PARTITIONED | ISP_F_SIGNAL; /* each matches its like only */
    if ((r->flags ^ send->t.call.flags) & kinds)
        return false;
    const struct isp_call *s = &send->t.call;
    if (r->flags & ISP_F_PARTITIONED && (r->color != s->color || (r->color && r->key != s->key)))
        return false;
    return (r->peer == ISP_ANY_SOURCE || r->peer == send->t.rank) &&
           (r->tag == ISP_ANY_TAG || r->tag == send->t.call.tag);
}

bool mb_shielded(const struct poe_inbox *inbox, const struct poe_op *receive, const struct poe_op *send)
{
    for (const struct poe_op *r = inbox->first; r && r != receive; r = r->next)
        if (mb_accepts(r, send))
            return true;
    return false;
}

struct poe_op *mb_enabled(struct poe_comm *comm, struct poe_inbox *inbox, const struct poe_op *receive, int source)
{
    if (!inbox->channels || receive->t.held)
        return NULL;
    struct poe_op *send = inbox->channels[comm->place[source]].first;
    while (send && !mb_accepts(receive, send))
        send = send->next;
    return send && !send->t.held && !mb_shielded(inbox, receive, send) ? send : NULL;
}

struct poe_op *mb_enabled_any(struct poe_comm *comm, struct poe_inbox *inbox, const struct poe_op *receive,
                              const uint64_t *skip)
{
    for (int i = 0; i < comm->n; i++) {
        if (poe_bit(skip, (uint32_t)comm->members[i]))
            continue;
        struct poe_op *send = mb_enabled(comm, inbox, receive, comm->members[i]);
        if (send)
            return send;
    }
    return NULL;
}

/* e1 -> e2 within a rank, e1 issued first: C1 to C4. */
static bool orders(const struct poe_op *e1, const struct poe_op *e2)
{
    const struct isp_call *a = &e1->t.call, *b = &e2->t.call;
    if (b->op == ISP_OP_COMPLETE) { /* C2 */
        for (uint32_t i = 0; i < b->n; i++)
            if (e2->waits[i] == e1)
                return true;
        return false;
    }
    if (a->op != b->op || a->comm != b->comm || !tags_meet(a->tag, b->tag))
        return false;
    if (a->op == ISP_OP_SEND) /* C3 */
        return a->peer == b->peer;
    if (a->op == ISP_OP_RECV) /* C4 */
        return a->peer == ISP_ANY_SOURCE || a->peer == b->peer;
    return false;
}

unsigned poe_ancestors(const struct poe *poe, int rank, uint64_t index, uint64_t *ancestors, unsigned max)
{
    const struct poe_op *e2 = poe->ranks[rank].live_first;
    while (e2 && e2->t.index != index)
        e2 = e2->live_next;
    unsigned n = 0;
    for (const struct poe_op *e1 = e2 ? e2->live_prev : NULL; e1 && n < max; e1 = e1->live_prev) {
        if (e1->t.call.thread != e2->t.call.thread || e1->t.matched || !orders(e1, e2))
            continue;
        bool reduced = false; /* e1 -> e -> e2: e1 is no immediate ancestor */
        for (const struct poe_op *e = e1->live_next; e != e2 && !reduced; e = e->live_next)
            reduced = e->t.call.thread == e2->t.call.thread && !e->t.matched && orders(e1, e) && orders(e, e2);
        if (!reduced)
            ancestors[n++] = e1->t.index;
    }
    return n;
}
