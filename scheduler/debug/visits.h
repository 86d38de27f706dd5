/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits of places in the code of a rank, which the rank counts itself (isp/visits.h), from the call before a
 * spot on. gdb is not there meanwhile: a breakpoint that it counts costs some hundred times as much.
 */
#ifndef SCHED_DEBUG_VISITS_H
#define SCHED_DEBUG_VISITS_H

#include "gdb/lines.h"
#include "spot.h"

/* The part of the stack where its pointer is while code of one frame runs: from where it is in a call (behind
 * what that takes there) up to the frame's end. */
struct sched_stack {
    uint64_t low, high;
};

/* The last visit of one of some places. */
struct sched_visit {
    struct sched_gdb_line place;
    struct sched_stack stack;
    uint64_t number; /* among those of its frame, from 1 */
};

enum sched_visits {
    SCHED_VISITS_FOUND,
    SCHED_VISITS_NONE,    /* no place is visited before */
    SCHED_VISITS_UNKNOWN, /* the rank cannot count, did not come to the spot, or it was interrupted */
};

/* The last visit before the spot, or, of one that stands at a call, before that. What of the spot depends on
 * something else than messages (a time that was measured) it no longer knows then. */
enum sched_visits sched_visits_before(struct sched_session *session, struct sched_spot *spot,
                                      const struct sched_gdb_line *lines, size_t n, struct sched_stack stack,
                                      struct sched_visit *visit);
/* Stands at the spot, which is at a line. */
bool sched_visits_return(struct sched_session *session, struct sched_spot *spot);
/* Stands at this visit. */
bool sched_visits_go(struct sched_session *session, const struct sched_spot *spot,
                     const struct sched_visit *visit);

#endif
