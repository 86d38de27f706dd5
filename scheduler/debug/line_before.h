/* SPDX-License-Identifier: BSD-3-Clause */
/* The line before a spot, however many visits of however many lines are between it and the event before. */
#ifndef SCHED_DEBUG_LINE_BEFORE_H
#define SCHED_DEBUG_LINE_BEFORE_H

#include "visits.h"

/* Of the spot's own function, or (outside) where that was called; so too if no line of it was before. The
 * rank must stand at the spot. */
enum sched_visits sched_line_before(struct sched_session *session, struct sched_spot *spot, bool outside,
                                    struct sched_visit *visit);

#endif
