/* SPDX-License-Identifier: BSD-3-Clause */
/* Irrelevant barriers: see barrier.h. */
#include "barrier.h"

#include <string.h>

#include "clock.h"
#include "isp/functions.h"
#include "race.h"

/* Values in one clock, and in those of all ranks after a barrier: with more, nothing is said. With 512 ranks
 * most of poe's time would be in them. */
enum { WITHOUT_MOST = 4096, WITHOUT_ALL = 1 << 17 };

static struct poe_barrier *find(struct poe *poe, uint32_t site)
{
    for (uint32_t i = 0; i < poe->n_barriers; i++)
        if (poe->barriers[i].site == site)
            return &poe->barriers[i];
    return NULL;
}

static struct poe_barrier *add(struct poe *poe, uint32_t site)
{
    size_t words = ((size_t)poe->config.ranks + 63) / 64;
    poe->barriers = poe_arena_grow(poe->arena, poe->barriers, &poe->barriers_room, poe->n_barriers + 1,
                                   sizeof *poe->barriers);
    struct poe_barrier *b = &poe->barriers[poe->n_barriers++];
    *b = (struct poe_barrier){.site = site, .group = POE_NO_BARRIER};
    b->ranks = poe_arena_new(poe->arena, words * sizeof *b->ranks);
    return b;
}

static void matters(struct poe *poe, uint32_t group)
{
    for (uint32_t i = 0; i < poe->n_barriers; i++)
        poe->barriers[i].matters |= poe->barriers[i].group == group;
}

/* The groups that the members are in already become one. */
static uint32_t unite(struct poe *poe, const struct poe_instance *instance)
{
    uint32_t group = POE_NO_BARRIER;
    for (int place = 0; place < instance->comm->n; place++) {
        const struct poe_op *op = instance->ops[place];
        struct poe_barrier *b = op ? find(poe, op->t.call.site) : NULL;
        if (!b || b->group == group)
            continue;
        if (group != POE_NO_BARRIER) {
            matters(poe, b->group);
            matters(poe, group);
        } else {
            group = b->group;
        }
    }
    return group == POE_NO_BARRIER ? poe->n_barriers : group;
}

uint32_t poe_barrier_group(struct poe *poe, const struct poe_instance *instance)
{
    const struct isp_call *first = &poe_instance_first(instance)->t.call;
    if (first->fn != ISP_FN_MPI_Barrier)
        return POE_NO_BARRIER;
    uint32_t group = unite(poe, instance);
    bool known = false;
    for (uint32_t i = 0; i < poe->n_barriers; i++)
        known |= poe->barriers[i].group == group && poe->barriers[i].matters;
    for (int place = 0; place < instance->comm->n; place++) {
        const struct poe_op *op = instance->ops[place];
        if (!op)
            continue;
        struct poe_barrier *b = find(poe, op->t.call.site);
        if (!b) {
            b = add(poe, op->t.call.site);
            b->group = group;
            b->matters = known;
        }
        b->ranks[op->t.rank / 64] |= (uint64_t)1 << (op->t.rank % 64);
    }
    return group;
}

struct poe_clock *poe_barrier_clock(struct poe *poe, struct poe_clock *all, struct poe_op *member,
                                    uint32_t group)
{
    if (poe->barriers_unclear)
        return poe_clock_keep(all);
    struct poe_clock *clock = poe_clock_barrier(poe->arena, all, member->posted, group);
    uint32_t n = clock ? clock->n_without : 0;
    poe->barriers_unclear |= n > WITHOUT_MOST || (uint64_t)n * (uint32_t)poe->config.ranks > WITHOUT_ALL;
    return clock;
}

/* With buffered sends only their order is there; without, a program must be the same in both. */
static bool counts(const struct poe *poe, const struct poe_without *w)
{
    return w->kind == POE_CLOCK_INFINITE || !poe->config.buffered;
}

void poe_barrier_see(struct poe *poe, const struct poe_clock *clock, const struct poe_thread *thread,
                     uint32_t decision)
{
    for (uint32_t i = 0; clock && i < clock->n_without; i++) {
        const struct poe_without *w = &clock->without[i];
        if (w->component == thread->component && counts(poe, w) && decision > w->value &&
            decision <= poe_clock_at(clock, (enum poe_clock_kind)w->kind, w->component))
            matters(poe, w->group);
    }
}

void poe_barrier_see_all(struct poe *poe, const struct poe_op *send, const struct poe_thread *thread,
                         bool (*is_alternative)(const struct poe_decided *, const struct poe_op *send))
{
    const struct poe_clock *clock = send->posted;
    for (uint32_t i = 0; clock && i < clock->n_without; i++) {
        const struct poe_without *w = &clock->without[i];
        uint32_t last = poe_clock_at(clock, (enum poe_clock_kind)w->kind, w->component);
        if (w->component != thread->component || !counts(poe, w))
            continue;
        for (uint32_t decision = w->value + 1; decision <= last && decision <= thread->decisions; decision++)
            if (is_alternative(&thread->decided[decision - 1], send))
                matters(poe, w->group);
    }
}

void poe_barrier_see_ready(struct poe *poe, const struct poe_op *send, const struct poe_thread *thread,
                           uint32_t receive)
{
    for (uint32_t i = 0; send->posted && i < send->posted->n_without; i++) {
        const struct poe_without *w = &send->posted->without[i];
        if (w->kind == POE_CLOCK_INFINITE && w->component == thread->receives_component && w->value < receive)
            matters(poe, w->group);
    }
}

/* Cancelled operations, locks, and what MPI does not see are ordered by more than messages; and a buffered
 * send may need the space that a barrier makes certain. */
void poe_barrier_note(struct poe *poe, const struct isp_call *call)
{
    bool buffered = call->op == ISP_OP_SEND && call->mode == ISP_SEND_BUFFERED;
    bool other = call->op == ISP_OP_CANCEL || call->op == ISP_OP_LOCK || call->op == ISP_OP_DETACH;
    /* of a window or file */
    other |= call->op == ISP_OP_COLLECTIVE && isp_fn_scope((enum isp_fn)call->fn) != ISP_SCOPE_COMM;
    poe->barriers_unclear |=
        buffered || other || call->thread || (call->flags & (ISP_F_HELD | ISP_F_PARTITIONED | ISP_F_SIGNAL));
}

bool poe_barriers(const struct poe *poe, const struct poe_barrier **all, unsigned *n)
{
    *all = poe->barriers;
    *n = poe->n_barriers;
    return !poe->barriers_unclear;
}
