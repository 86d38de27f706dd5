/* SPDX-License-Identifier: BSD-3-Clause */
/* Which row the call `number` of a rank is, on the path from the root to a node: a trace names calls by
 * rank and number, which are those of other calls in other interleavings. */
#ifndef SCHED_TRACE_PLACES_H
#define SCHED_TRACE_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "poe/poe.h"

struct sched_places;

/* most: no number is larger (but for the thread in its upper bits). */
struct sched_places *sched_places_create(int64_t most);
void sched_places_destroy(struct sched_places *places);

void sched_places_note(struct sched_places *places, int64_t rank, int64_t number, int32_t row);
/* -1: it is not on the path. */
int32_t sched_places_find(const struct sched_places *places, int64_t rank, int64_t number);
/* How many are noted; sched_places_back forgets those that were noted since. */
size_t sched_places_count(const struct sched_places *places);
void sched_places_back(struct sched_places *places, size_t count);

/* The two halves of a number (docs/trace.md). */
static inline int64_t sched_places_thread(int64_t number)
{
    return number < 0 ? -1 : number >> POE_THREAD_SHIFT;
}
static inline int64_t sched_places_index(int64_t number)
{
    return number < 0 ? -1 : number & (((int64_t)1 << POE_THREAD_SHIFT) - 1);
}

#endif
