/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector clocks: see clock.h. */
#include "clock.h"

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
        poe_vector_drop(arena, c->vector);
        poe_arena_free(arena, c);
    }
}

/* Takes over the reference of the vector. */
static struct poe_clock *clock_create(struct poe_arena *arena, struct poe_vector *vector)
{
    struct poe_clock *c = poe_arena_new(arena, sizeof *c);
    c->references = 1;
    c->vector = vector;
    return c;
}

static struct poe_vector *vector_of(const struct poe_clock *c) { return c ? c->vector : NULL; }

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

/* Whether a, whose vector is at least that of b, is at least b without barriers as well. */
static bool covers_without(const struct poe_clock *a, const struct poe_clock *b)
{
    struct cursor cursor = {.clock = b};
    for (uint32_t i = 0; i < a->n_without; i++)
        if (value_without(&cursor, &a->without[i]) > a->without[i].value)
            return false;
    return true;
}

struct poe_clock *poe_clock_join(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (!b || a == b)
        return poe_clock_keep(a);
    if (!a)
        return poe_clock_keep(b);
    struct poe_vector *vector = poe_vector_join(arena, a->vector, b->vector);
    struct poe_clock *most = NULL;
    if (vector == a->vector && covers_without(a, b))
        most = a;
    else if (vector == b->vector && covers_without(b, a))
        most = b;
    if (most) {
        poe_vector_drop(arena, vector);
        return poe_clock_keep(most);
    }
    struct poe_clock *c = clock_create(arena, vector);
    join_without(arena, c, a, b);
    return c;
}

struct poe_clock *poe_clock_mix(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b)
{
    if (a == b)
        return poe_clock_keep(a);
    struct poe_clock *c = clock_create(arena, poe_vector_mix(arena, vector_of(a), vector_of(b)));
    copy_without(arena, c, a, POE_CLOCK_ZERO);
    copy_without(arena, c, b, POE_CLOCK_INFINITE);
    return c;
}

/* What `all` knows and `own` does not, the group's barriers tell. `own` may know less without them. */
static void add_group(struct poe_arena *arena, struct poe_clock *c, const struct poe_clock *all,
                      const struct poe_clock *own, uint32_t group, enum poe_clock_kind kind)
{
    uint32_t i = 0, n = own ? own->n_without : 0;
    while (i < n &&
           (own->without[i].kind < kind || (own->without[i].kind == kind && own->without[i].group < group)))
        i++;
    uint32_t differs = poe_vector_difference(all->vector, vector_of(own), kind, 0);
    for (;;) {
        bool listed = i < n && own->without[i].kind == kind && own->without[i].group == group;
        struct poe_without w = {.kind = kind, .group = group, .component = differs};
        if (listed && own->without[i].component <= differs)
            w = own->without[i++];
        else if (differs != UINT32_MAX)
            w.value = poe_clock_at(own, kind, differs);
        else
            return;
        add_without(arena, c, w);
        if (w.component == differs)
            differs = poe_vector_difference(all->vector, vector_of(own), kind, differs + 1);
    }
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
    add_group(arena, c, all, own, group, kind);
    for (; i < all->n_without; i++)
        if (all->without[i].kind == kind && all->without[i].group != group)
            add_without(arena, c, all->without[i]);
}

struct poe_clock *poe_clock_barrier(struct poe_arena *arena, struct poe_clock *all, struct poe_clock *own,
                                    uint32_t group)
{
    if (!all || all == own)
        return poe_clock_keep(all);
    struct poe_clock *c = clock_create(arena, poe_vector_keep(all->vector));
    add_barrier(arena, c, all, own, group, POE_CLOCK_ZERO);
    add_barrier(arena, c, all, own, group, POE_CLOCK_INFINITE);
    return c;
}

/* `c` itself if nobody else has it, or another clock; the caller says what it is without barriers, and drops
 * `c` if that is another. */
static struct poe_clock *with_values(struct poe_arena *arena, struct poe_clock *c, uint32_t component,
                                     uint32_t zero, uint32_t infinite)
{
    bool alone = c && c->references == 1;
    struct poe_vector *vector = alone ? c->vector : poe_vector_keep(vector_of(c));
    vector = poe_vector_set(arena, vector, component, zero, infinite);
    if (!alone)
        return clock_create(arena, vector);
    c->vector = vector;
    return c;
}

struct poe_clock *poe_clock_set(struct poe_arena *arena, struct poe_clock *c, uint32_t component,
                                uint32_t value, bool zero, bool infinite, bool own)
{
    uint32_t n_without = c ? c->n_without : 0;
    struct poe_clock *to =
        with_values(arena, c, component, zero ? value : poe_clock_at(c, POE_CLOCK_ZERO, component),
                    infinite ? value : poe_clock_at(c, POE_CLOCK_INFINITE, component));
    to->n_without = 0;
    for (uint32_t i = 0; i < n_without; i++) {
        struct poe_without w = c->without[i];
        bool set = w.component == component && (w.kind == POE_CLOCK_ZERO ? zero : infinite);
        if (!set || (!own && w.value + 1 < value))
            add_without(arena, to, w);
    }
    if (to != c)
        poe_clock_drop(arena, c);
    return to;
}

static bool knows(const struct poe_clock *c, uint32_t component, uint32_t value)
{
    for (uint32_t i = 0; c && i < c->n_without; i++)
        if (c->without[i].component == component && c->without[i].value < value)
            return false;
    return poe_clock_at(c, POE_CLOCK_ZERO, component) >= value &&
           poe_clock_at(c, POE_CLOCK_INFINITE, component) >= value;
}

static uint32_t at_least(uint32_t a, uint32_t b) { return a > b ? a : b; }

struct poe_clock *poe_clock_know(struct poe_arena *arena, struct poe_clock *c, uint32_t component,
                                 uint32_t value)
{
    if (knows(c, component, value))
        return c;
    uint32_t n_without = c ? c->n_without : 0;
    struct poe_clock *to =
        with_values(arena, c, component, at_least(poe_clock_at(c, POE_CLOCK_ZERO, component), value),
                    at_least(poe_clock_at(c, POE_CLOCK_INFINITE, component), value));
    to->n_without = 0;
    for (uint32_t i = 0; i < n_without; i++) {
        struct poe_without w = c->without[i];
        if (w.component == component && w.value < value)
            w.value = value;
        add_without(arena, to, w);
    }
    if (to != c)
        poe_clock_drop(arena, c);
    return to;
}
