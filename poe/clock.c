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

static struct poe_clock *clock_create(uint32_t n)
{
    size_t bytes = sizeof(struct poe_clock) + 2 * (size_t)n * sizeof(uint32_t);
    struct poe_clock *c = memset(poe_alloc(NULL, bytes), 0, bytes);
    c->references = 1;
    c->n = n;
    return c;
}

static uint32_t longer(const struct poe_clock *a, const struct poe_clock *b)
{
    uint32_t n = a ? a->n : 0, m = b ? b->n : 0;
    return n > m ? n : m;
}

/* Whether a is at least b everywhere. */
static bool covers(const struct poe_clock *a, const struct poe_clock *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (poe_clock_at(a, POE_CLOCK_ZERO, i) < b->at[i] || poe_clock_at(a, POE_CLOCK_INFINITE, i) < b->at[b->n + i])
            return false;
    return true;
}

static uint32_t larger(const struct poe_clock *a, const struct poe_clock *b, enum poe_clock_kind kind, uint32_t i)
{
    uint32_t x = poe_clock_at(a, kind, i), y = poe_clock_at(b, kind, i);
    return x > y ? x : y;
}

struct poe_clock *poe_clock_join(struct poe_clock *a, struct poe_clock *b)
{
    if (!b || a == b || (a && covers(a, b)))
        return poe_clock_keep(a);
    if (!a || covers(b, a))
        return poe_clock_keep(b);
    struct poe_clock *c = clock_create(longer(a, b));
    for (uint32_t i = 0; i < c->n; i++) {
        c->at[i] = larger(a, b, POE_CLOCK_ZERO, i);
        c->at[c->n + i] = larger(a, b, POE_CLOCK_INFINITE, i);
    }
    return c;
}

struct poe_clock *poe_clock_mix(struct poe_clock *a, struct poe_clock *b)
{
    if (a == b)
        return poe_clock_keep(a);
    struct poe_clock *c = clock_create(longer(a, b));
    for (uint32_t i = 0; i < c->n; i++) {
        c->at[i] = poe_clock_at(a, POE_CLOCK_ZERO, i);
        c->at[c->n + i] = poe_clock_at(b, POE_CLOCK_INFINITE, i);
    }
    return c;
}

struct poe_clock *poe_clock_set(struct poe_clock *c, uint32_t n, uint32_t component, uint32_t value, bool zero,
                                bool infinite)
{
    struct poe_clock *copy = clock_create(n);
    for (uint32_t i = 0; i < n; i++) {
        copy->at[i] = poe_clock_at(c, POE_CLOCK_ZERO, i);
        copy->at[n + i] = poe_clock_at(c, POE_CLOCK_INFINITE, i);
    }
    poe_clock_drop(c);
    if (zero)
        copy->at[component] = value;
    if (infinite)
        copy->at[n + component] = value;
    return copy;
}
