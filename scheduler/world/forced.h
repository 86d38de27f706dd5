/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calls of ranks that go ahead must come to, so that a run begins with the decisions of a prefix:
 * from the choice points that runs before it have shown.
 */
#ifndef SCHED_FORCED_H
#define SCHED_FORCED_H

#include <stdbool.h>

#include "isp/wire.h"
#include "poe/poe.h"
#include "poe/search.h"

struct sched_forced;

struct sched_forced *sched_forced_create(void);
void sched_forced_destroy(struct sched_forced *forced);
/* A choice point that the present run has come to. */
void sched_forced_note(struct sched_forced *forced, const struct poe_choice *choice);
/* The run has shown a message that this decision of the search did not have: *later* can begin with it. */
void sched_forced_note_race(struct sched_forced *forced, const struct poe_search *search,
                            const struct poe_race *race);
/* For the next run of the search. False: ranks cannot be made to begin with this prefix without isp. */
bool sched_forced_find(struct sched_forced *forced, const struct poe_search *search);
/* No run has come to a choice point. */
bool sched_forced_is_unknown(const struct sched_forced *forced);
/* The run begins as it likes. */
bool sched_forced_is_empty(const struct sched_forced *forced);
/* What of it concerns this rank, as WELCOME has it. */
void sched_forced_put(const struct sched_forced *forced, int rank, struct isp_buf *b);

#endif
