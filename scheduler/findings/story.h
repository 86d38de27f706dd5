/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines below a finding, for its draft: one row per rank, in columns. Rows of several ranks that read the
 * same become one ("ranks 3-31"), and very many different rows are cut. */
#ifndef SCHED_STORY_H
#define SCHED_STORY_H

#include "isp/call.h"
#include "run/run.h"

struct sched_story;

struct sched_story *sched_story_create(const struct sched_run *run);
/* A row of a rank, or of one thread of it (else -1): the call, its place, and `what` (which is taken over and
 * freed; may be NULL). */
void sched_story_row(struct sched_story *story, int rank, int thread, const struct isp_call *call,
                     char *what);
/* Below the rows: whole lines. */
void sched_story_add(struct sched_story *story, const char *lines);
/* The text, each line ended by \n; frees the story. Caller frees the text. */
char *sched_story_end(struct sched_story *story);

#endif
