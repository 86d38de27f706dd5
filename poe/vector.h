/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent vectors: two counters for each component, immutable and shared, as tries of arrays (Bagwell). A
 * vector shares with those that it comes from each part that is the same as theirs. So one more value costs
 * a path from the root, and a maximum costs the parts in which the two differ: with thousands of ranks a
 * message changes few of the components. Up to 128 components are one leaf, which is an array.
 *
 * NULL is all zeros. Components that a vector has no room for are zero.
 */
#ifndef POE_VECTOR_H
#define POE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct poe_arena;

/* What is counted: with sends that complete after their match, and with sends that complete at once. */
enum poe_clock_kind { POE_CLOCK_ZERO, POE_CLOCK_INFINITE };

struct poe_vector {
    uint32_t references;
    uint16_t height; /* 0: a leaf */
    uint16_t width;  /* of a leaf: components */
    /* A leaf is followed by `width` counters of each kind, another node by its children. */
};

static inline uint32_t *poe_vector_counters(const struct poe_vector *leaf, enum poe_clock_kind kind)
{
    return (uint32_t *)(void *)(uintptr_t)(leaf + 1) + (uint32_t)kind * leaf->width;
}

/* That of a tree. */
uint32_t poe_vector_below(const struct poe_vector *v, enum poe_clock_kind kind, uint32_t component);

static inline uint32_t poe_vector_at(const struct poe_vector *v, enum poe_clock_kind kind, uint32_t component)
{
    if (v && v->height)
        return poe_vector_below(v, kind, component);
    return v && component < v->width ? poe_vector_counters(v, kind)[component] : 0;
}

struct poe_vector *poe_vector_keep(struct poe_vector *v); /* one more reference; NULL is fine */
void poe_vector_drop(struct poe_arena *arena, struct poe_vector *v);

/* Component-wise maximum; a new reference, to `a` itself where `b` has nothing more, or to `b`. */
struct poe_vector *poe_vector_join(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b);
/* The zero counters of `a`, the infinite ones of `b`; a new reference. */
struct poe_vector *poe_vector_mix(struct poe_arena *arena, struct poe_vector *a, struct poe_vector *b);
/* `v` with these values of the component; takes over the reference. What nobody else has a reference to is
 * changed where it is. */
struct poe_vector *poe_vector_set(struct poe_arena *arena, struct poe_vector *v, uint32_t component,
                                  uint32_t zero, uint32_t infinite);
/* The first component from `from` on in which the two differ in this kind; UINT32_MAX: none. */
uint32_t poe_vector_difference(const struct poe_vector *a, const struct poe_vector *b,
                               enum poe_clock_kind kind, uint32_t from);

#endif
