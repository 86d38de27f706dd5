/* SPDX-License-Identifier: BSD-3-Clause */
#include "ready.h"

void poe_ready_push(struct poe *poe, struct poe_ready ready)
{
    if (poe->n_ready == poe->ready_room) {
        uint32_t room = poe->ready_room ? 2 * poe->ready_room : 64;
        struct poe_ready *ring = poe_arena_new(poe->arena, room * sizeof *ring);
        for (uint32_t i = 0; i < poe->n_ready; i++)
            ring[i] = poe->ready[(poe->ready_first + i) % poe->ready_room];
        poe_arena_free(poe->arena, poe->ready);
        poe->ready = ring, poe->ready_room = room, poe->ready_first = 0;
    }
    poe->ready[(poe->ready_first + poe->n_ready++) % poe->ready_room] = ready;
}

void poe_ready_fence(struct poe *poe, struct poe_op *fence)
{
    if (fence->ready)
        return;
    fence->ready = true;
    poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_FENCE, .a = fence});
}

void poe_fired_clear(struct poe *poe) { poe->fired = (struct poe_fired){0}; }

void poe_fired_member(struct poe *poe, const struct poe_op *op)
{
    poe->members = poe_arena_grow(poe->arena, poe->members, &poe->members_room, poe->fired.n_members + 1,
                                  sizeof *poe->members);
    poe->members[poe->fired.n_members++] = &op->t;
    poe->fired.members = poe->members;
}

struct poe_effect *poe_fired_effect(struct poe *poe, int rank)
{
    poe->effects = poe_arena_grow(poe->arena, poe->effects, &poe->effects_room, poe->fired.n_effects + 1,
                                  sizeof *poe->effects);
    struct poe_effect *e = &poe->effects[poe->fired.n_effects++];
    *e = (struct poe_effect){.rank = rank};
    poe->fired.effects = poe->effects;
    return e;
}
