/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a run ended, as findings: what the ranks told, and crashes, aborts, exits and hangs. One cause gives
 * one finding. Deadlocks are left to explore/settle.c, which may have to run again to know their rule.
 */
#ifndef SCHED_JUDGE_H
#define SCHED_JUDGE_H

#include "world/world.h"

/* While the processes are still there: the stacks of ranks that hang, and who is in MPI_Init, if not all have
 * come out of it (`starts`). Call before sched_world_stop; the text is for sched_judge. Caller frees; NULL if
 * nothing hangs. */
struct sched_autopsy;
struct sched_autopsy *sched_autopsy_create(struct sched_world *world);
void sched_autopsy_destroy(struct sched_autopsy *autopsy);

/* What makes two findings that ranks told the same, in sched_findings. Caller frees. */
char *sched_judge_key(const struct sched_run *run, const struct sched_told *told);

/* If a rank has died because isp's own library had to give up, the run has ended because of that
 * (SCHED_END_KILLED), and nobody else is to blame. */
void sched_judge_own_abort(struct sched_world *world);

/* Adds the findings of a run that is over. */
void sched_judge(struct sched_world *world, const struct sched_autopsy *autopsy);

/* A replayed rank did something else, or the run came to another choice point: `at` is the call, or NULL. */
void sched_judge_difference(struct sched_world *world, int rank, const struct isp_call *at, const char *what);

/* Why this run leaves the exploration incomplete, or NULL. Caller frees. */
char *sched_judge_incomplete(const struct sched_world *world);

#endif
