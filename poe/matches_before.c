/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches-before: see matches_before.h. */
#include "matches_before.h"

#include <stdlib.h>

#include "operation.h"

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

struct poe_op *mb_enabled_in(const struct poe_inbox *inbox, const struct poe_op *receive,
                             const struct poe_channel *channel)
{
    if (receive->t.held)
        return NULL;
    struct poe_op *send = channel->first;
    while (send && !mb_accepts(receive, send))
        send = send->next;
    return send && !send->t.held && !mb_shielded(inbox, receive, send) ? send : NULL;
}

struct poe_op *mb_enabled(const struct poe_inbox *inbox, const struct poe_op *receive, int source)
{
    const struct poe_channel *channel = poe_inbox_find(inbox, source);
    return channel ? mb_enabled_in(inbox, receive, channel) : NULL;
}

struct poe_op *mb_enabled_any(const struct poe_inbox *inbox, const struct poe_op *receive,
                              const uint64_t *skip)
{
    for (uint32_t i = 0; i < inbox->n_channels; i++) {
        if (poe_bit(skip, (uint32_t)inbox->channels[i].source))
            continue;
        struct poe_op *send = mb_enabled_in(inbox, receive, &inbox->channels[i]);
        if (send)
            return send;
    }
    return NULL;
}
