/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent vectors: see vector.h. */
#include "vector.h"

#include <string.h>

#include "arena.h"

enum {
    LEAF_BITS = 7, /* components of a leaf */
    FANOUT_BITS = 3,
    LEAF = 1 << LEAF_BITS,
    FANOUT = 1 << FANOUT_BITS,
    NARROWEST = 4,
    STRIDE = 32, /* counters that are compared before it is looked what came of it */
};

/* What is recursive here goes down a tree: of 2^32 components it has ten floors. */
/* NOLINTBEGIN(misc-no-recursion) */

static struct poe_vector **children(const struct poe_vector *v)
{
    return (struct poe_vector **)(void *)(uintptr_t)(v + 1);
}

static unsigned height_of(const struct poe_vector *v) { return v ? v->height : 0; }

/* Components below each child of a node so high. */
static unsigned bits_below(unsigned height) { return LEAF_BITS + FANOUT_BITS * (height - 1); }

static uint32_t place_below(unsigned height, uint32_t component)
{
    return component & (((uint32_t)1 << bits_below(height)) - 1);
}

/* As if `v`, which may be lower, were a node so high. */
static struct poe_vector *child_at(const struct poe_vector *v, unsigned height, unsigned k)
{
    if (v && v->height == height)
        return children(v)[k];
    return k == 0 ? (struct poe_vector *)(uintptr_t)v : NULL;
}

/* A leaf has room for as many as it needs: 4, 8, 16 and so on. */
static uint16_t width_for(uint32_t n)
{
    uint16_t width = NARROWEST;
    while (width < n)
        width *= 2;
    return width;
}

static struct poe_vector *leaf_create(struct poe_arena *arena, uint16_t width)
{
    struct poe_vector *leaf = poe_arena_new(arena, sizeof *leaf + 2 * (size_t)width * sizeof(uint32_t));
    leaf->references = 1;
    leaf->width = width;
    return leaf;
}

static struct poe_vector *node_create(struct poe_arena *arena, unsigned height)
{
    struct poe_vector *v = poe_arena_new(arena, sizeof *v + FANOUT * sizeof(struct poe_vector *));
    v->references = 1;
    v->height = (uint16_t)height;
    return v;
}

struct poe_vector *poe_vector_keep(struct poe_vector *v)
{
    if (v)
        v->references++;
    return v;
}

void poe_vector_drop(struct poe_arena *arena, struct poe_vector *v)
{
    if (!v || --v->references)
        return;
    for (unsigned k = 0; v->height && k < FANOUT; k++)
        poe_vector_drop(arena, children(v)[k]);
    poe_arena_free(arena, v);
}

uint32_t poe_vector_below(const struct poe_vector *v, enum poe_clock_kind kind, uint32_t component)
{
    while (v && v->height) {
        uint32_t k = component >> bits_below(v->height);
        if (k >= FANOUT)
            return 0;
        component = place_below(v->height, component);
        v = children(v)[k];
    }
    return v && component < v->width ? poe_vector_counters(v, kind)[component] : 0;
}

/* ---- leaves ---- */

/* Where all components differ most of poe's time is in these loops: they are done with vector instructions,
 * four counters at a time. A leaf has a multiple of four. */
typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));

/* Whether one of `a` is more. */
static bool any_is_more(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        four more = {0};
        for (uint32_t end = n - i < STRIDE ? n : i + STRIDE; i < end; i += 4)
            more |= (four)(*(const four *)&a[i] > *(const four *)&b[i]);
        if (more[0] | more[1] | more[2] | more[3])
            return true;
    }
    return false;
}

static void take_larger(uint32_t *to, const uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 4) {
        four x = *(const four *)&to[i], y = *(const four *)&from[i];
        four larger = (four)(x > y);
        *(four *)&to[i] = (x & larger) | (y & ~larger);
    }
}

static const uint32_t NOTHING[LEAF];

static bool kind_has_more(const struct poe_vector *a, const struct poe_vector *b, enum poe_clock_kind kind)
{
    const uint32_t *of_a = poe_vector_counters(a, kind);
    uint32_t both = a->width < b->width ? a->width : b->width;
    return any_is_more(of_a, poe_vector_counters(b, kind), both) ||
           any_is_more(of_a + both, NOTHING, a->width - both);
}

static bool has_more(const struct poe_vector *a, const struct poe_vector *b)
{
    return kind_has_more(a, b, POE_CLOCK_ZERO) || kind_has_more(a, b, POE_CLOCK_INFINITE);
}

/* One kind of the new leaf becomes that of `from`, which is not wider. */
static void copy_kind(struct poe_vector *to, const struct poe_vector *from, enum poe_clock_kind kind)
{
    if (from)
        memcpy(poe_vector_counters(to, kind), poe_vector_counters(from, kind),
               from->width * sizeof(uint32_t));
}

static struct poe_vector *leaf_join(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b)
{
    if (!has_more(b, a))
        return poe_vector_keep(a);
    if (!has_more(a, b))
        return poe_vector_keep(b);
    struct poe_vector *c = leaf_create(arena, a->width > b->width ? a->width : b->width);
    for (enum poe_clock_kind kind = POE_CLOCK_ZERO; kind <= POE_CLOCK_INFINITE; kind++) {
        copy_kind(c, a, kind);
        take_larger(poe_vector_counters(c, kind), poe_vector_counters(b, kind), b->width);
    }
    return c;
}

static bool is_same(const struct poe_vector *a, const struct poe_vector *b, enum poe_clock_kind kind)
{
    return a && b && a->width == b->width &&
           memcmp(poe_vector_counters(a, kind), poe_vector_counters(b, kind), a->width * sizeof(uint32_t)) ==
               0;
}

static struct poe_vector *leaf_mix(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b)
{
    if (is_same(a, b, POE_CLOCK_INFINITE))
        return poe_vector_keep(a);
    if (is_same(a, b, POE_CLOCK_ZERO))
        return poe_vector_keep(b);
    struct poe_vector *c = leaf_create(arena, !b || (a && a->width > b->width) ? a->width : b->width);
    copy_kind(c, a, POE_CLOCK_ZERO);
    copy_kind(c, b, POE_CLOCK_INFINITE);
    return c;
}

/* ---- trees ---- */

typedef struct poe_vector *combine(struct poe_arena *, struct poe_vector *, struct poe_vector *);

/* Each child of a and b is combined; a or b itself if that is what comes out. */
static struct poe_vector *combine_children(struct poe_arena *arena, struct poe_vector *a,
                                           struct poe_vector *b, combine *both)
{
    unsigned height = height_of(a) > height_of(b) ? height_of(a) : height_of(b);
    struct poe_vector *of[FANOUT];
    unsigned is_shared = 0; /* bits: both have this child, and it has no reference of its own here */
    bool is_a = true, is_b = true;
    for (unsigned k = 0; k < FANOUT; k++) {
        struct poe_vector *x = child_at(a, height, k), *y = child_at(b, height, k);
        is_shared |= (unsigned)(x == y) << k;
        of[k] = x == y ? x : both(arena, x, y);
        is_a &= of[k] == x;
        is_b &= of[k] == y;
    }
    if (is_a || is_b) {
        for (unsigned k = 0; k < FANOUT; k++)
            if (!(is_shared >> k & 1))
                poe_vector_drop(arena, of[k]);
        return poe_vector_keep(is_a ? a : b);
    }
    struct poe_vector *c = node_create(arena, height);
    for (unsigned k = 0; k < FANOUT; k++)
        children(c)[k] = is_shared >> k & 1 ? poe_vector_keep(of[k]) : of[k];
    return c;
}

struct poe_vector *poe_vector_join(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b)
{
    if (!b || a == b)
        return poe_vector_keep(a);
    if (!a)
        return poe_vector_keep(b);
    return a->height || b->height ? combine_children(arena, a, b, poe_vector_join) : leaf_join(arena, a, b);
}

struct poe_vector *poe_vector_mix(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b)
{
    if (a == b)
        return poe_vector_keep(a);
    if (height_of(a) || height_of(b))
        return combine_children(arena, a, b, poe_vector_mix);
    return leaf_mix(arena, a, b);
}

/* Nobody else has it: it may change where it is. */
static bool is_alone(const struct poe_vector *v) { return v && v->references == 1; }

/* Each takes over the reference of the leaf or node that it is given. */

static struct poe_vector *leaf_set(struct poe_arena *arena, struct poe_vector *leaf, uint32_t component,
                                   const uint32_t values[2])
{
    struct poe_vector *to = leaf;
    if (!is_alone(leaf) || component >= leaf->width) {
        uint16_t width = width_for(component + 1);
        to = leaf_create(arena, leaf && leaf->width > width ? leaf->width : width);
        copy_kind(to, leaf, POE_CLOCK_ZERO);
        copy_kind(to, leaf, POE_CLOCK_INFINITE);
        poe_vector_drop(arena, leaf);
    }
    poe_vector_counters(to, POE_CLOCK_ZERO)[component] = values[POE_CLOCK_ZERO];
    poe_vector_counters(to, POE_CLOCK_INFINITE)[component] = values[POE_CLOCK_INFINITE];
    return to;
}

/* `v` as a node so high that nobody else has. */
static struct poe_vector *node_own(struct poe_arena *arena, struct poe_vector *v, unsigned height)
{
    if (is_alone(v) && v->height == height)
        return v;
    struct poe_vector *own = node_create(arena, height);
    for (unsigned k = 0; k < FANOUT; k++)
        children(own)[k] = poe_vector_keep(child_at(v, height, k));
    poe_vector_drop(arena, v);
    return own;
}

static struct poe_vector *set_below(struct poe_arena *arena, struct poe_vector *v, unsigned height,
                                    uint32_t component, const uint32_t values[2])
{
    if (height == 0)
        return leaf_set(arena, v, component, values);
    struct poe_vector *own = node_own(arena, v, height);
    struct poe_vector **child = &children(own)[component >> bits_below(height)];
    *child = set_below(arena, *child, height - 1, place_below(height, component), values);
    return own;
}

struct poe_vector *poe_vector_set(struct poe_arena *arena, struct poe_vector *v, uint32_t component,
                                  uint32_t zero, uint32_t infinite)
{
    unsigned height = height_of(v);
    while (component >> (LEAF_BITS + FANOUT_BITS * height))
        height++;
    return set_below(arena, v, height, component, (const uint32_t[]){zero, infinite});
}

/* ---- differences ---- */

static uint32_t leaf_difference(const struct poe_vector *a, const struct poe_vector *b,
                                enum poe_clock_kind kind, uint32_t from)
{
    uint32_t n = a ? a->width : 0, m = b ? b->width : 0;
    uint32_t both = n < m ? n : m, all = n > m ? n : m, i = from;
    while (i < both && poe_vector_counters(a, kind)[i] == poe_vector_counters(b, kind)[i])
        i++;
    while (i >= both && i < all && !poe_vector_counters(n > m ? a : b, kind)[i])
        i++;
    return i < all ? i : UINT32_MAX;
}

static uint32_t difference_below(const struct poe_vector *a, const struct poe_vector *b, unsigned height,
                                 enum poe_clock_kind kind, uint32_t from)
{
    if (a == b)
        return UINT32_MAX;
    if (height == 0)
        return leaf_difference(a, b, kind, from);
    for (uint32_t k = from >> bits_below(height); k < FANOUT; k++) {
        uint32_t place = k == from >> bits_below(height) ? place_below(height, from) : 0;
        uint32_t found =
            difference_below(child_at(a, height, k), child_at(b, height, k), height - 1, kind, place);
        if (found != UINT32_MAX)
            return (k << bits_below(height)) + found;
    }
    return UINT32_MAX;
}

uint32_t poe_vector_difference(const struct poe_vector *a, const struct poe_vector *b,
                               enum poe_clock_kind kind, uint32_t from)
{
    unsigned height = height_of(a) > height_of(b) ? height_of(a) : height_of(b);
    return difference_below(a, b, height, kind, from);
}

/* NOLINTEND(misc-no-recursion) */
