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

static const struct poe_without *find(const struct poe_clock *c, uint32_t kind, uint32_t group, uint32_t component)
{
    for (uint32_t i = 0; c && i < c->n_without; i++) {
        const struct poe_without *w = &c->without[i];
        if (w->kind == kind && w->group == group && w->component == component)
            return w;
    }
    return NULL;
}

uint32_t poe_clock_without(const struct poe_clock *c, enum poe_clock_kind kind, uint32_t group, uint32_t component)
{
    const struct poe_without *w = find(c, kind, group, component);
    return w ? w->value : poe_clock_at(c, kind, component);
}

static int order(const struct poe_without *a, const struct poe_without *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->component < b->component ? -1 : a->component > b->component;
}

static void add_without(struct poe_arena *arena, struct poe_clock *c, struct poe_without w)
{
    if (w.value >= poe_clock_at(c, (enum poe_clock_kind)w.kind, w.component))
        return;
    if ((c->n_without & (c->n_without - 1)) == 0)
        c->without = poe_arena_resize(arena, c->without, (c->n_without ? 2 * (size_t)c->n_without : 1) * sizeof *c->without);
    c->without[c->n_without++] = w;
}

/* c is the maximum of a and b; so is what it is without barriers. */
static void join_without(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *a, const struct poe_clock *b)
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

static void copy_without(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *from, enum poe_clock_kind kind)
{
    for (uint32_t i = 0; from && i < from->n_without; i++)
        if (from->without[i].kind == kind)
            add_without(arena, c, from->without[i]);
}

/* ---- clocks ---- */

/* Whether a is at least b everywhere, also without barriers. */
static bool covers(const struct poe_clock *a, const struct poe_clock *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (poe_clock_at(a, POE_CLOCK_ZERO, i) < b->at[i] || poe_clock_at(a, POE_CLOCK_INFINITE, i) < b->at[b->n + i])
            return false;
    for (uint32_t i = 0; a && i < a->n_without; i++) {
        const struct poe_without *w = &a->without[i];
        if (poe_clock_without(b, (enum poe_clock_kind)w->kind, w->group, w->component) > w->value)
            return false;
    }
    return true;
}

static uint32_t larger(const struct poe_clock *a, const struct poe_clock *b, enum poe_clock_kind kind, uint32_t i)
{
    uint32_t x = poe_clock_at(a, kind, i), y = poe_clock_at(b, kind, i);
    return x > y ? x : y;
}

struct poe_clock *poe_clock_join(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (!b || a == b || (a && covers(a, b)))
        return poe_clock_keep(a);
    if (!a || covers(b, a))
        return poe_clock_keep(b);
    struct poe_clock *c = clock_create(arena, longer(a, b));
    for (uint32_t i = 0; i < c->n; i++) {
        c->at[i] = larger(a, b, POE_CLOCK_ZERO, i);
        c->at[c->n + i] = larger(a, b, POE_CLOCK_INFINITE, i);
    }
    join_without(arena, c, a, b);
    return c;
}

struct poe_clock *poe_clock_mix(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (a == b)
        return poe_clock_keep(a);
    struct poe_clock *c = clock_create(arena, longer(a, b));
    for (uint32_t i = 0; i < c->n; i++) {
        c->at[i] = poe_clock_at(a, POE_CLOCK_ZERO, i);
        c->at[c->n + i] = poe_clock_at(b, POE_CLOCK_INFINITE, i);
    }
    copy_without(arena, c, a, POE_CLOCK_ZERO);
    copy_without(arena, c, b, POE_CLOCK_INFINITE);
    return c;
}

/* One kind of it, of `all`, where the group's barriers tell its members nothing. */
static void add_barrier(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *all,
                        const struct poe_clock *own, uint32_t group, enum poe_clock_kind kind)
{
    uint32_t i = 0;
    for (; i < all->n_without && (all->without[i].kind < kind || (all->without[i].kind == kind && all->without[i].group < group)); i++)
        if (all->without[i].kind == kind)
            add_without(arena, c, all->without[i]);
    for (uint32_t k = 0; k < c->n; k++)
        add_without(arena, c, (struct poe_without){kind, group, k, poe_clock_without(own, kind, group, k)});
    for (; i < all->n_without; i++)
        if (all->without[i].kind == kind && all->without[i].group != group)
            add_without(arena, c, all->without[i]);
}

struct poe_clock *poe_clock_barrier(struct poe_arena *arena, struct poe_clock *all, struct poe_clock *own, uint32_t group)
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
    for (uint32_t i = 0; i < n; i++) {
        copy->at[i] = poe_clock_at(c, POE_CLOCK_ZERO, i);
        copy->at[n + i] = poe_clock_at(c, POE_CLOCK_INFINITE, i);
    }
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
