/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What isp tells while it explores. On a terminal, in one line that is written anew: what the first run is
 * doing, then how many interleavings are done, of how many perhaps, and what was found. The total is known as
 * an order of magnitude only, so there is no percentage. Findings are told when they are found (found.h).
 */
#ifndef SCHED_PROGRESS_H
#define SCHED_PROGRESS_H

#include "explore.h"
#include "found.h"

enum { SCHED_PROGRESS_SEEN = 32 };

struct sched_progress {
    bool on; /* a line is shown */
    double started_s, next_s;
    const struct sched_explore *x; /* whose runs are shown; NULL: they are other processes' */
    struct event *clock;
    struct sched_found found;
    bool elsewhere; /* another process shows the first run */
    /* as they were told last, and when */
    uint64_t done, begun; /* begun: when the first was told, at begun_s; it takes longer than the others */
    double begun_s;
    double estimate, told_s;
    const char *same; /* in what all have ended so far, or NULL */
    struct {
        double done, estimate;
    } seen[SCHED_PROGRESS_SEEN]; /* estimates of before, for how sure the last one is */
    unsigned n_seen, every, skipped;
};

/* `on` if stderr is a terminal that can rewrite a line, and the user has not asked for quiet. */
void sched_progress_init(struct sched_progress *progress, bool quiet);
/* From now on it is shown, also while nothing is told, as long as the event loop of `x` turns. own: the runs
 * are those of `x`. */
void sched_progress_begin(struct sched_progress *progress, struct sched_explore *x, bool own);
/* So many are done. estimate: of all interleavings, those that are done included. same: in what all have
 * ended so far, or NULL; borrowed until the next one is told, or the end. */
void sched_progress_tell(struct sched_progress *progress, uint64_t done, double estimate, const char *same);
/* It is over: the line goes away. */
void sched_progress_finish(struct sched_progress *progress);

#endif
