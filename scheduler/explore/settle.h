/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a run: what it says about the program, and how it counts. A deadlock is judged here, which may take
 * a second run of the program (unsafe.h); so may a deadlock of mixed buffering (mixed.h), and the line of an
 * access (locate.h). Each of these is a step of sched_settle_run, by its name.
 *
 * Law 5: whatever keeps the exploration from being complete is said in result->incomplete_because.
 */
#ifndef SCHED_SETTLE_H
#define SCHED_SETTLE_H

#include "explore.h"

/* Such a run is no interleaving, and there is no use in another. */
bool sched_ending_cuts_short(enum sched_ending ending);

/* After sched_run_start. May set x->stop, x->bound and x->error. */
void sched_settle_run(struct sched_explore *x, struct sched_run_state *state);

#endif
