/* SPDX-License-Identifier: BSD-3-Clause */
/* What shows up: see shown.h. */
#include "shown.h"

#include "clock.h"

/* Calls whose effect on decisions is not told by messages and completions alone. */
static bool is_odd(const struct isp_call *c)
{
    static const uint32_t flags = ISP_F_HELD | ISP_F_SIGNAL | ISP_F_PARTITIONED | ISP_F_SUBSET | ISP_F_LOOP |
                                  ISP_F_GUARDED | ISP_F_TOOK | ISP_F_PERHAPS | ISP_F_BLIND;
    switch (c->op) {
    case ISP_OP_SEND:
        if (c->mode == ISP_SEND_BUFFERED)
            return true;
        break;
    case ISP_OP_COLLECTIVE:
        if (c->mode == ISP_MAKE_INTER)
            return true;
        break;
    case ISP_OP_RECV:
    case ISP_OP_PROBE:
    case ISP_OP_COMPLETE:
    case ISP_OP_FREE:
    case ISP_OP_FINALIZE:
    case ISP_OP_JOIN: break;
    default: return true;
    }
    return c->thread > 0 || c->others || (c->flags & flags);
}

void poe_shown_call(struct poe *poe, int rank, const struct isp_call *call)
{
    if (!poe->config.merge)
        return;
    poe->odd = poe->odd || is_odd(call);
    struct poe_thread *t = &poe->ranks[rank].threads[call->thread];
    if (t->stamp_component == POE_NO_COMPONENT)
        t->stamp_component = poe->components++;
    t->now = poe_clock_know(poe->arena, t->now, t->stamp_component, poe->n_decisions);
}

static void add(struct poe *poe, struct poe_shown shown)
{
    poe->shown =
        poe_arena_grow(poe->arena, poe->shown, &poe->shown_room, poe->n_shown + 1, sizeof *poe->shown);
    shown.at = poe->n_decisions;
    poe_clock_keep(shown.clock);
    poe->shown[poe->n_shown++] = shown;
}

void poe_shown_message(struct poe *poe, const struct poe_op *send)
{
    if (!poe->config.merge || !poe->n_decisions)
        return;
    const struct isp_call *c = &send->t.call;
    add(poe, (struct poe_shown){.kind = POE_SHOWN_MESSAGE,
                                .rank = send->t.rank,
                                .comm = c->comm,
                                .peer = c->peer,
                                .tag = c->tag,
                                .clock = send->posted});
}

/* One that came after the last decision was pending at no choice point. */
void poe_shown_completion(struct poe *poe, const struct poe_op *op)
{
    if (!poe->config.merge || op->born >= poe->n_decisions)
        return;
    add(poe, (struct poe_shown){.kind = POE_SHOWN_COMPLETION,
                                .rank = op->t.rank,
                                .handle = op->t.call.handle,
                                .born = op->born,
                                .clock = op->done});
}

void poe_shown_pair(struct poe *poe, const struct poe_op *send, const struct poe_op *receive)
{
    if (isp_call_leaves_rest(&send->t.call, &receive->t.call) && receive->born < poe->short_from)
        poe->short_from = receive->born;
}

void poe_shown_forget(struct poe *poe)
{
    while (poe->n_shown)
        poe_clock_drop(poe->arena, poe->shown[--poe->n_shown].clock);
}

uint32_t poe_shown_stamp(const struct poe *poe, const struct poe_clock *clock, int kind, int rank)
{
    return poe_clock_at(clock, (enum poe_clock_kind)kind, poe->ranks[rank].threads[0].stamp_component);
}
