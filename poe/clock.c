/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector clocks: see clock.h. */
#include "clock.h"

#include <string.h>

#include "arena.h"

struct poe_clock *poe_clock_keep(struct poe_clock *c)
{
    if (c)
        c->references++;
    return c;
}

void poe_clock_drop(struct poe_arena *arena, struct poe_clock *c)
{
    if (c && --c->references == 0) {
        poe_arena_free(arena, c->without);
        poe_arena_free(arena, c);
    }
}

static struct poe_clock *clock_create(struct poe_arena *arena, uint32_t n)
{
    size_t bytes = sizeof(struct poe_clock) + 2 * (size_t)n * sizeof(uint32_t);
    struct poe_clock *c = poe_arena_new(arena, bytes);
    c->references = 1;
    c->n = n;
    return c;
}

static uint32_t longer(const struct poe_clock *a, const struct poe_clock *b)
{
    uint32_t n = a ? a->n : 0, m = b ? b->n : 0;
    return n > m ? n : m;
}

/* ---- without barriers ---- */

static int order(const struct poe_without *a, const struct poe_without *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->component < b->component ? -1 : a->component > b->component;
}

/* Reads what a clock is without barriers, asked for in ascending order. */
struct cursor {
    const struct poe_clock *clock;
    uint32_t at;
};

static uint32_t value_without(struct cursor *c, const struct poe_without *asked)
{
    uint32_t n = c->clock ? c->clock->n_without : 0;
    int found = 1;
    while (c->at < n && (found = order(&c->clock->without[c->at], asked)) < 0)
        c->at++;
    if (c->at < n && found == 0)
        return c->clock->without[c->at].value;
    return poe_clock_at(c->clock, (enum poe_clock_kind)asked->kind, asked->component);
}

static void add_without(struct poe_arena *arena, struct poe_clock *c, struct poe_without w)
{
    if (w.value >= poe_clock_at(c, (enum poe_clock_kind)w.kind, w.component))
        return;
    if (c->n_without == c->without_room)
        c->without =
            poe_arena_grow(arena, c->without, &c->without_room, c->n_without + 1, sizeof *c->without);
    c->without[c->n_without++] = w;
}

/* c is the maximum of a and b; so is what it is without barriers. */
static void join_without(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *a,
                         const struct poe_clock *b)
{
    uint32_t i = 0, k = 0, n = a ? a->n_without : 0, m = b ? b->n_without : 0;
    while (i < n || k < m) {
        int which = i == n ? 1 : k == m ? -1 : order(&a->without[i], &b->without[k]);
        struct poe_without w = which <= 0 ? a->without[i] : b->without[k];
        enum poe_clock_kind kind = (enum poe_clock_kind)w.kind;
        uint32_t x = which <= 0 ? w.value : poe_clock_at(a, kind, w.component);
        uint32_t y = which >= 0 ? b->without[k].value : poe_clock_at(b, kind, w.component);
        w.value = x > y ? x : y;
        add_without(arena, c, w);
        i += which <= 0;
        k += which >= 0;
    }
}

static void copy_without(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *from,
                         enum poe_clock_kind kind)
{
    for (uint32_t i = 0; from && i < from->n_without; i++)
        if (from->without[i].kind == kind)
            add_without(arena, c, from->without[i]);
}

/* ---- clocks ---- */

/* With many ranks most of poe's time is in the loops of these three: they are written to be done with vector
 * instructions. */

static bool at_least(const uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    uint32_t less = 0;
#pragma omp simd reduction(| : less)
    for (uint32_t i = 0; i < n; i++)
        less |= a[i] < b[i];
    return !less;
}

static void take_larger(uint32_t *restrict to, const uint32_t *restrict from, uint32_t n)
{
#pragma omp simd
    for (uint32_t i = 0; i < n; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static bool is_zero(const uint32_t *a, uint32_t n)
{
    uint32_t any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < n; i++)
        any |= a[i];
    return !any;
}

static const uint32_t *values(const struct poe_clock *c, enum poe_clock_kind kind)
{
    return c->at + (uint32_t)kind * c->n;
}

static bool kind_covers(const struct poe_clock *a, const struct poe_clock *b, enum poe_clock_kind kind)
{
    uint32_t both = a->n < b->n ? a->n : b->n;
    return at_least(values(a, kind), values(b, kind), both) && is_zero(values(b, kind) + both, b->n - both);
}

/* Whether a is at least b everywhere, also without barriers. */
static bool covers(const struct poe_clock *a, const struct poe_clock *b)
{
    if (!kind_covers(a, b, POE_CLOCK_ZERO) || !kind_covers(a, b, POE_CLOCK_INFINITE))
        return false;
    struct cursor cursor = {.clock = b};
    for (uint32_t i = 0; i < a->n_without; i++)
        if (value_without(&cursor, &a->without[i]) > a->without[i].value)
            return false;
    return true;
}

/* One kind of `c` becomes that of `from`, which is not longer. */
static void copy_kind(struct poe_clock *c, const struct poe_clock *from, enum poe_clock_kind kind)
{
    if (from)
        memcpy(c->at + (uint32_t)kind * c->n, values(from, kind), from->n * sizeof *c->at);
}

struct poe_clock *poe_clock_join(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (!b || a == b || (a && covers(a, b)))
        return poe_clock_keep(a);
    if (!a || covers(b, a))
        return poe_clock_keep(b);
    struct poe_clock *c = clock_create(arena, longer(a, b));
    for (enum poe_clock_kind kind = POE_CLOCK_ZERO; kind <= POE_CLOCK_INFINITE; kind++) {
        copy_kind(c, a, kind);
        take_larger(c->at + (uint32_t)kind * c->n, values(b, kind), b->n);
    }
    join_without(arena, c, a, b);
    return c;
}

struct poe_clock *poe_clock_mix(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (a == b)
        return poe_clock_keep(a);
    struct poe_clock *c = clock_create(arena, longer(a, b));
    copy_kind(c, a, POE_CLOCK_ZERO);
    copy_kind(c, b, POE_CLOCK_INFINITE);
    copy_without(arena, c, a, POE_CLOCK_ZERO);
    copy_without(arena, c, b, POE_CLOCK_INFINITE);
    return c;
}

/* One kind of it, of `all`, where the group's barriers tell its members nothing. */
static void add_barrier(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *all,
                        const struct poe_clock *own, uint32_t group, enum poe_clock_kind kind)
{
    uint32_t i = 0;
    for (; i < all->n_without &&
           (all->without[i].kind < kind || (all->without[i].kind == kind && all->without[i].group < group));
         i++)
        if (all->without[i].kind == kind)
            add_without(arena, c, all->without[i]);
    struct cursor cursor = {.clock = own};
    for (uint32_t k = 0; k < c->n; k++) {
        struct poe_without w = {.kind = kind, .group = group, .component = k};
        w.value = value_without(&cursor, &w);
        add_without(arena, c, w);
    }
    for (; i < all->n_without; i++)
        if (all->without[i].kind == kind && all->without[i].group != group)
            add_without(arena, c, all->without[i]);
}

struct poe_clock *poe_clock_barrier(struct poe_arena *arena, struct poe_clock *all, struct poe_clock *own,
                                    uint32_t group)
{
    if (!all || all == own)
        return poe_clock_keep(all);
    struct poe_clock *c = clock_create(arena, all->n);
    memcpy(c->at, all->at, 2 * (size_t)all->n * sizeof *c->at);
    add_barrier(arena, c, all, own, group, POE_CLOCK_ZERO);
    add_barrier(arena, c, all, own, group, POE_CLOCK_INFINITE);
    return c;
}

struct poe_clock *poe_clock_set(struct poe_arena *arena, struct poe_clock *c, uint32_t n, uint32_t component,
                                uint32_t value, bool zero, bool infinite, bool own)
{
    struct poe_clock *copy = clock_create(arena, n);
    copy_kind(copy, c, POE_CLOCK_ZERO);
    copy_kind(copy, c, POE_CLOCK_INFINITE);
    if (zero)
        copy->at[component] = value;
    if (infinite)
        copy->at[n + component] = value;
    for (uint32_t i = 0; c && i < c->n_without; i++) {
        const struct poe_without *w = &c->without[i];
        bool set = w->component == component && (w->kind == POE_CLOCK_ZERO ? zero : infinite);
        if (!set || (!own && w->value + 1 < value))
            add_without(arena, copy, *w);
    }
    poe_clock_drop(arena, c);
    return copy;
}

static bool knows(const struct poe_clock *c, uint32_t component, uint32_t value)
{
    for (uint32_t i = 0; c && i < c->n_without; i++)
        if (c->without[i].component == component && c->without[i].value < value)
            return false;
    return poe_clock_at(c, POE_CLOCK_ZERO, component) >= value &&
           poe_clock_at(c, POE_CLOCK_INFINITE, component) >= value;
}

struct poe_clock *poe_clock_know(struct poe_arena *arena, struct poe_clock *c, uint32_t n, uint32_t component,
                                 uint32_t value)
{
    if (knows(c, component, value))
        return c;
    bool alone = c && c->references == 1 && component < c->n; /* nobody else sees it: it may change */
    struct poe_clock *to = alone ? c : clock_create(arena, n);
    for (enum poe_clock_kind kind = POE_CLOCK_ZERO; kind <= POE_CLOCK_INFINITE; kind++) {
        if (!alone)
            copy_kind(to, c, kind);
        uint32_t *at = &to->at[(uint32_t)kind * to->n + component];
        *at = *at > value ? *at : value;
    }
    uint32_t n_without = c ? c->n_without : 0;
    to->n_without = 0;
    for (uint32_t i = 0; i < n_without; i++) {
        struct poe_without w = c->without[i];
        if (w.component == component && w.value < value)
            w.value = value;
        add_without(arena, to, w);
    }
    if (!alone)
        poe_clock_drop(arena, c);
    return to;
}
