/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bounds that a user sets to an exploration: how long, how many interleavings, until when, and which
 * choices are combined with which (poe/search.h has the rules of the latter). They cut the search between
 * runs, and say what they have left out.
 */
#ifndef SCHED_BOUNDS_H
#define SCHED_BOUNDS_H

#include "poe/search.h"
#include "result.h"

/* As the options say it. */
struct poe_search_bounds sched_bounds_of_search(const struct sched_options *options);

/* The bound that forbids another run, or SCHED_STOP_NONE. `result` may be a part, and then there are others
 * with `other_runs` runs. walks: interleavings of the present exploration, of which the one with
 * buffered sends is another. The first run of all is always allowed. */
enum sched_stop sched_bounds_reached(const struct sched_result *result, uint64_t other_runs, double started_s,
                                     uint64_t walks);
bool sched_bounds_in_time(const struct sched_options *options, double started_s);

/* The exploration is over: what was left out, and the estimates. `stop`: the bound that ended it; waiting:
 * jobs that nobody has begun. */
void sched_bounds_tell(struct sched_result *result, enum sched_stop stop, uint64_t waiting,
                       uint64_t buffered_waiting);

/* Why the bounds make the result incomplete, in words; NULL if they do not. The caller frees it. */
char *sched_bounds_words(const struct sched_result *result);

/* An estimate, as far as it is one: "about 3e5"; NULL if it says no more than `explored` does. The caller
 * frees it. */
char *sched_bounds_about(double estimate, uint64_t explored);

#endif
