/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector clocks: see clock.h. */
#include "clock.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct poe_clock *poe_clock_keep(struct poe_clock *c)
{
    if (c)
        c->references++;
    return c;
}

void poe_clock_drop(struct poe_clock *c)
{
    if (c && --c->references == 0)
        free(c);
}

static struct poe_clock *clock_create(uint32_t ranks)
{
    size_t bytes = sizeof(struct poe_clock) + 2 * (size_t)ranks * sizeof(uint32_t);
    struct poe_clock *c = memset(poe_alloc(NULL, bytes), 0, bytes);
    c->references = 1;
    c->ranks = ranks;
    return c;
}

/* Whether a is at least b everywhere. */
static bool covers(const struct poe_clock *a, const struct poe_clock *b)
{
    for (uint32_t i = 0; i < 2 * a->ranks; i++)
        if (a->at[i] < b->at[i])
            return false;
    return true;
}

struct poe_clock *poe_clock_join(struct poe_clock *a, struct poe_clock *b)
{
    if (!b || a == b || (a && covers(a, b)))
        return poe_clock_keep(a);
    if (!a || covers(b, a))
        return poe_clock_keep(b);
    struct poe_clock *c = clock_create(a->ranks);
    for (uint32_t i = 0; i < 2 * a->ranks; i++)
        c->at[i] = a->at[i] > b->at[i] ? a->at[i] : b->at[i];
    return c;
}

struct poe_clock *poe_clock_mix(struct poe_clock *a, struct poe_clock *b)
{
    if (a == b)
        return poe_clock_keep(a);
    struct poe_clock *c = clock_create(a ? a->ranks : b->ranks);
    for (uint32_t i = 0; i < c->ranks; i++) {
        c->at[i] = a ? a->at[i] : 0;
        c->at[c->ranks + i] = b ? b->at[c->ranks + i] : 0;
    }
    return c;
}

struct poe_clock *poe_clock_set(struct poe_clock *c, uint32_t ranks, int rank, uint32_t value, bool zero, bool infinite)
{
    struct poe_clock *copy = clock_create(ranks);
    if (c)
        memcpy(copy->at, c->at, 2 * (size_t)ranks * sizeof(uint32_t));
    poe_clock_drop(c);
    if (zero)
        copy->at[rank] = value;
    if (infinite)
        copy->at[ranks + (uint32_t)rank] = value;
    return copy;
}
