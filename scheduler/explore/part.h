/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A part of an exploration: what the runs that were made so far, or in one subtree, add to the result. It is
 * a struct sched_result of which not all is there yet; it can be written and read by another process, and
 * parts of different runs can be put together in any order: what comes out is what one search through all
 * these runs would have come to. What depends on the order of runs (which is shown first, what a deadlock was
 * found to be, which barriers met) is therefore kept with the run that it is of, and decided by
 * sched_part_settle.
 */
#ifndef SCHED_PART_H
#define SCHED_PART_H

#include <jansson.h>

#include "result.h"

/* An empty one. `sites` may be shared with others. */
void sched_part_init(struct sched_result *part, const struct sched_options *options,
                     struct sched_sites *sites);
/* All but the sites. */
void sched_part_finish(struct sched_result *part);

/* That the exploration is not complete: the first reason in the order of the search stands. in: the run that
 * it was; NULL: none. Takes `why`, which may be NULL. */
void sched_part_incomplete(struct sched_result *part, char *why, const struct sched_run *in);
/* The same one stands, whichever part is merged first. Takes `who`, which may be NULL. */
void sched_part_unshown_death(struct sched_result *part, char *who);

/* For another process, or for later: without a reason of no run, which was only why this process stopped.
 * without_run: what the present run has told is left out, but for the numbers. */
json_t *sched_part_write(const struct sched_result *part, bool without_run);
/* Into an empty part. False: this is none. */
bool sched_part_read(struct sched_result *part, const json_t *json);
/* `more` is of other runs; it is empty afterwards. */
void sched_part_merge(struct sched_result *part, struct sched_result *more);

/* All runs are there. */
void sched_part_settle(struct sched_result *whole);

#endif
