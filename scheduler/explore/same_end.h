/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every interleaving so far has ended in the same deadlock (or crash ...): then the others most likely do so
 * too, and what they could show besides is hidden until that is fixed. After a while the search ends, unless
 * --keep-going was given; the verdict says that not all was explored.
 */
#ifndef SCHED_SAME_END_H
#define SCHED_SAME_END_H

#include "result.h"

/* "deadlock at app.c:12": in what all interleavings of the result have ended, of which there is one at least;
 * NULL: some ended otherwise. Caller frees. */
char *sched_same_end(const struct sched_result *result);
/* Likewise of two parts of one exploration, of which one may have no interleaving yet. */
char *sched_same_end_of_both(const struct sched_result *a, const struct sched_result *b);
/* Whether so many interleavings are enough to end the search, and it has lasted long enough. */
bool sched_same_end_is_enough(const struct sched_options *options, uint64_t interleavings, double started_s);

#endif
