/* SPDX-License-Identifier: BSD-3-Clause */
/* Where one is, noted in the history, and the way back: to a cut, or to the line between two events at which
 * the focus was. Other ranks are then at the cut. */
#ifndef SCHED_DEBUG_REVISIT_H
#define SCHED_DEBUG_REVISIT_H

#include "history.h"
#include "session.h"

void sched_revisit_note(struct sched_session *session);
/* False: session->why. Where the rank does not come to the same line again (a variable that had no value told
 * it from others), it is at the cut. */
bool sched_revisit(struct sched_session *session, const struct sched_history_place *place);

#endif
