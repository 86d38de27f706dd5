/* SPDX-License-Identifier: BSD-3-Clause */
/* The line on a terminal that says how far the exploration is: done, frontier, rate. The total is known as an
 * order of magnitude only, so there is no percentage. */
#ifndef SCHED_PROGRESS_H
#define SCHED_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sched_progress {
    bool on, shown;
    double started_s, next_s;
};

/* `on` if stderr is a terminal that can rewrite a line, and the user has not asked for quiet. */
void sched_progress_init(struct sched_progress *progress, bool quiet);
/* At most five times a second. estimate: of all interleavings, those that are done included. */
void sched_progress_show(struct sched_progress *progress, uint64_t done, size_t frontier, double estimate);
void sched_progress_clear(struct sched_progress *progress);

#endif
