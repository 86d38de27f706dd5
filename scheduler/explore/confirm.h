/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run that goes on from a checkpoint is to do what the same choices do after a launch
 * (checkpoint/checkpoints.h), and a program can see to it that it does not. So each error that such a run is
 * the first to show is made sure of by a launch of its choices: one for each finding, not for each run. If
 * the launch does not show it, checkpoints change this program.
 */
#ifndef SCHED_CONFIRM_H
#define SCHED_CONFIRM_H

#include "run.h"

struct sched_confirm;

struct sched_confirm *sched_confirm_create(void);
void sched_confirm_destroy(struct sched_confirm *confirm);

/* After sched_run_start. NULL: nothing new, or it was shown again; else what was not. Caller frees. */
char *sched_confirm_run(struct sched_confirm *confirm, struct sched_engine *engine,
                        struct sched_run_state *state);

/* What the errors of two runs of the same choices have in common with these: `again`, in which a launched run
 * has put its own, shows one that `findings` do not have. Or NULL; caller frees. */
char *sched_confirm_missed(const struct sched_findings *findings, const struct sched_findings *again);

#endif
