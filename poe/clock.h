/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vector clocks over decisions. The component of a thread says: its first k decisions happened before. It has
 * one from its first decision on: clocks of different length are compared as if the shorter one ended in
 * zeros. They tell whether a message that shows up late depends on a decision (then it could not have been an
 * alternative) or not (then it could).
 *
 * A component never claims more than is true; it may claim less (decisions of one rank that
 * become known out of order). Less only costs a *later* branch that brings nothing. Receives that are posted
 * are counted likewise (ready_send.h).
 *
 * What is known only because of a barrier is told apart (barrier.h): for some groups of barriers and some
 * components a clock has the smaller value that it would have without the group. What is not listed is the
 * same without.
 *
 * Two clocks are kept side by side: `zero`, in which a standard send completes after its
 * match, and `infinite`, in which it completes at once; the second tells whether buffering
 * could change anything. Clocks are immutable and shared; NULL is all zeros.
 */
#ifndef POE_CLOCK_H
#define POE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

struct poe_arena;

/* Without this group of barriers the component would have this value. In order of kind, group, component. */
struct poe_without {
    uint32_t kind, group, component, value;
};

struct poe_clock {
    uint32_t references;
    uint32_t n_without, without_room;
    struct poe_without *without;
    struct poe_vector *vector;
};

static inline uint32_t poe_clock_at(const struct poe_clock *c, enum poe_clock_kind kind, uint32_t component)
{
    return c ? poe_vector_at(c->vector, kind, component) : 0;
}

/* What a member that knew `own` knows after a barrier of the group: `all`, but without the group no more than
 * before; a new reference. */
struct poe_clock *poe_clock_barrier(struct poe_arena *arena, struct poe_clock *all, struct poe_clock *own,
                                    uint32_t group);

struct poe_clock *poe_clock_keep(struct poe_clock *c); /* one more reference; NULL is fine */
void poe_clock_drop(struct poe_arena *arena, struct poe_clock *c);
/* Component-wise maximum; a new reference. */
struct poe_clock *poe_clock_join(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b);
/* zero components of `a`, infinite components of `b`; a new reference. */
struct poe_clock *poe_clock_mix(struct poe_arena *arena, struct poe_clock *a, struct poe_clock *b);
/* `c` where `component` is set (both kinds where zero/infinite say so); takes over the reference. Without
 * some barriers it is set as well where the one before `value` was known; or always, if the thread that asks
 * made them all (`own`). */
struct poe_clock *poe_clock_set(struct poe_arena *arena, struct poe_clock *c, uint32_t component,
                                uint32_t value, bool zero, bool infinite, bool own);
/* `c` where `component` is at least `value`, in both kinds and without any barriers; takes over the
 * reference. */
struct poe_clock *poe_clock_know(struct poe_arena *arena, struct poe_clock *c, uint32_t component,
                                 uint32_t value);

#endif
