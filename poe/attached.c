/* SPDX-License-Identifier: BSD-3-Clause */
/* The space of the attached buffer: see attached.h. */
#include "attached.h"

#include "clock.h"
#include "ready_send.h"

struct poe_attached {
    uint32_t component, value;
    uint64_t bytes; /* 0: it is delivered */
};

/* How many messages are told apart: clocks grow by each. What is beyond counts as delivered. */
enum { MOST = 256 };

static bool is_delivered(const struct poe_attached *a, const struct poe_op *send)
{
    return poe_clock_at(send->posted, POE_CLOCK_INFINITE, a->component) >= a->value;
}

/* Its place, or NULL. */
static struct poe_attached *take(struct poe *poe, struct poe_rank *r)
{
    uint32_t i = 0;
    while (i < r->n_attached && r->attached[i].bytes)
        i++;
    if (i == MOST)
        return NULL;
    if (i == r->n_attached) {
        r->attached = poe_arena_grow(poe->arena, r->attached, &r->attached_room, i + 1, sizeof *r->attached);
        r->attached[r->n_attached++] = (struct poe_attached){.component = poe->components++};
    }
    return &r->attached[i];
}

void poe_attached_send(struct poe *poe, struct poe_op *send)
{
    const struct isp_call *c = &send->t.call;
    struct poe_rank *r = &poe->ranks[send->t.rank];
    uint64_t pending = 0;
    if (!c->reserved)
        return;
    for (uint32_t i = 0; i < r->n_attached; i++) {
        if (r->attached[i].bytes && is_delivered(&r->attached[i], send))
            r->attached[i].bytes = 0;
        pending += r->attached[i].bytes;
    }
    if (pending && pending + c->reserved > c->attached && !poe_ready_send_is_blind(poe))
        send->t.crowd = pending;
    struct poe_attached *a = take(poe, r);
    if (!a)
        return;
    a->value++;
    a->bytes = c->reserved;
    send->space = (uint32_t)(a - r->attached) + 1;
    send->number = a->value;
}

struct poe_clock *poe_attached_received(struct poe *poe, const struct poe_op *send, struct poe_clock *clock)
{
    if (!send->space)
        return clock;
    const struct poe_attached *a = &poe->ranks[send->t.rank].attached[send->space - 1];
    return poe_clock_know(poe->arena, clock, a->component, send->number);
}

void poe_attached_detach(struct poe *poe, int rank)
{
    struct poe_rank *r = &poe->ranks[rank];
    for (uint32_t i = 0; i < r->n_attached; i++)
        r->attached[i].bytes = 0;
}
