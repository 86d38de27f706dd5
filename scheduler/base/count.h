/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of interleavings, which few runs may stand for (explore/merge.h): they add up to SCHED_COUNT_MOST at
 * most, since JSON and SQL have whole numbers with a sign. */
#ifndef SCHED_COUNT_H
#define SCHED_COUNT_H

#include <stdint.h>

#define SCHED_COUNT_MOST ((uint64_t)INT64_MAX)

static inline uint64_t sched_count_sum(uint64_t a, uint64_t b)
{
    return a > SCHED_COUNT_MOST - b || b > SCHED_COUNT_MOST ? SCHED_COUNT_MOST : a + b;
}

#endif
