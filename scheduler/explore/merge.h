/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States that come up again are not explored again (poe/states.h). Here a run asks its ranks for their
 * states, and what was found below a state is kept with it: how many interleavings it stands for, what they
 * show, and one that finishes. So all that is told of interleavings is what the search without merging would
 * tell.
 */
#ifndef SCHED_MERGE_H
#define SCHED_MERGE_H

#include "checkpoint/run_state.h"
#include "poe/search.h"
#include "result.h"

struct sched_merge;

/* For one job; result: that of the job, which is borrowed. */
struct sched_merge *sched_merge_create(const struct sched_options *options, struct sched_result *result);
void sched_merge_destroy(struct sched_merge *merge);

/* The run has come to a choice point, which is not decided yet. True: its state is known, and the run is
 * over. */
bool sched_merge_reach(struct sched_merge *merge, struct sched_run_state *run, struct poe_search *search);
/* The present run ended at a state that is known. */
bool sched_merge_is_over(const struct sched_merge *merge);
/* Before the trace is told that it is over: where that state is, if it ended at one. */
void sched_merge_tell_trace(const struct sched_merge *merge, struct sched_trace *trace);
/* How many are kept; merge may be NULL. */
uint64_t sched_merge_states(const struct sched_merge *merge);

/* The run is over, and judged: adds it to what is below its choice points, and to `end` and the result what
 * it stands for. Everything that `end` points to is valid until the next run. */
void sched_merge_end(struct sched_merge *merge, const struct sched_run_state *run, struct poe_search *search,
                     bool cut_short, bool deadlocked, struct sched_run_end *end);
/* The search has gone on to its next prefix; `more`: there is one. */
void sched_merge_next(struct sched_merge *merge, const struct poe_search *search, bool more);

#endif
