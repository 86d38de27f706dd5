/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ends of a run that need an explanation. */
#ifndef SCHED_ENDS_H
#define SCHED_ENDS_H

#include "judge.h"

/* A rank died, or the program's exit code is not 0: who is to blame. */
void sched_judge_death(struct sched_world *world);
/* SCHED_END_HANG. */
void sched_judge_hang(struct sched_world *world, const struct sched_autopsy *autopsy);

#endif
