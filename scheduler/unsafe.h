/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a deadlock without buffering is real (DESIGN §5, buffering). A second run with buffered standard sends
 * is led along the decisions of the first. If it gets stuck too, the deadlock is real; if not, the
 * program relies on buffering; and if it only gets through because a message is never received, that
 * message is what is wrong, and not that its sender waits.
 */
#ifndef SCHED_UNSAFE_H
#define SCHED_UNSAFE_H

#include "run.h"

/* The run is over, in a deadlock or livelock. True if a standard send that is not buffered holds some rank. */
bool sched_unsafe_suspect(struct sched_run_state *state);

/* Finds out, and adds the finding. False if there is none to add but the lost message. */
bool sched_unsafe_judge(struct sched_engine *engine, struct sched_run_state *state);

void sched_unsafe_finish(struct sched_engine *engine);

#endif
