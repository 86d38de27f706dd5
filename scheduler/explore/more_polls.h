/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searching again with more polls. A poll is told `not yet` once in a row where the program repeats itself,
 * and a few times where it does not (poe/POLLS.md). A search that has left out no more than that is made
 * again with --polls 3, 10, 30 and 100, for some seconds or as long as it took itself, until one of them
 * leaves nothing out, or shows an error. Where states come up again that takes little more time; elsewhere a
 * library that polls has far too many orders.
 *
 * Not if --polls was given.
 */
#ifndef SCHED_MORE_POLLS_H
#define SCHED_MORE_POLLS_H

#include "result.h"

/* The search lacks nothing else, and its options allow another one. */
bool sched_more_polls_helps(const struct sched_result *result);
/* How long all others may take, in seconds. */
double sched_more_polls_time_s(const struct sched_result *result);
/* Makes the options those of the next search, until then at most (sched_now_s); false: there is none. */
bool sched_more_polls_next(struct sched_options *options, double until_s);
/* Such a search is over. If it shows more they change places, and true. */
bool sched_more_polls_judge(struct sched_result *result, struct sched_result *deeper);

#endif
