/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkpoints hide. With them, what is before a choice point runs once; a program that does something else
 * each time (law 4) shows only if a run is made again from its beginning. Nor does an error show that a launch
 * has, and what went on from a checkpoint has not.
 */
#ifndef SCHED_VERIFY_H
#define SCHED_VERIFY_H

#include "explore.h"

/* Makes the last run once more, by a launch, if that is cheap. May set x->untrue and x->stop. */
void sched_verify(struct sched_explore *x, struct sched_replay_check *check, bool buffered);

#endif
