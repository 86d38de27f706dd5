/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Back in time by lines of the focus. The segment since its last event is run anew, by that rank alone, up to
 * the line before the present one; where the segment begins, one is at the call before it.
 *
 * Many visits of one line (a loop) are not stepped through: the first run finds the present visit by a
 * breakpoint that counts, the second one goes to the visit before it, and steps from there.
 */
#ifndef SCHED_DEBUG_REVERSE_H
#define SCHED_DEBUG_REVERSE_H

#include "session.h"

enum sched_reverse {
    SCHED_REVERSE_STEP,   /* to the line before, in whichever function */
    SCHED_REVERSE_NEXT,   /* ... of this function, or where it was called */
    SCHED_REVERSE_FINISH, /* to where this function was called */
};

/* False: session->why; the rank may then be elsewhere, at an earlier time. */
bool sched_reverse(struct sched_session *session, enum sched_reverse how);
/* To the last time that something has stopped the focus (breakpoints of its gdb, or at messages), or to its
 * start. *stopped:
 * something has. */
bool sched_reverse_continue(struct sched_session *session, bool *stopped);

#endif
