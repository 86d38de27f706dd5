/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines below a finding: one row per rank, in columns. Rows of several ranks that read the same
 * become one ("ranks 3-31"), and very many different rows are cut. */
#ifndef SCHED_CHECK_STORY_H
#define SCHED_CHECK_STORY_H

#include "check.h"

struct sched_story;

struct sched_story *sched_story_create(const struct sched_run *run);
/* A row of a rank: the call, its place, and `what` (which is taken over and freed; may be NULL). */
void sched_story_row(struct sched_story *story, int rank, const struct isp_call *call, char *what);
/* The same for one thread of a rank. */
void sched_story_row_of_thread(struct sched_story *story, int rank, int thread, const struct isp_call *call,
                               char *what);
/* A line of its own below the rows. */
__attribute__((format(printf, 2, 3))) void sched_story_line(struct sched_story *story, const char *format,
                                                            ...);
/* The text, each line ended by \n; frees the story. Caller frees the text. */
char *sched_story_end(struct sched_story *story);

#endif
