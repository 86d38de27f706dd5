/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixed buffering (poe/mixed.h): deadlocks that a program has only if MPI buffers some standard sends, and
 * others not. After each run of the exploration with buffered sends they are sought in what poe recorded of
 * it, without the ranks. A deadlock at places at which none was found so far is confirmed by one run of the
 * ranks, in which isp buffers just those sends; what that does not show is not told, and makes the search
 * incomplete.
 */
#ifndef SCHED_MIXED_H
#define SCHED_MIXED_H

#include "run.h"

/* The run, with buffered sends, has ended; poe is still there. */
void sched_mixed_look(struct sched_engine *engine, struct sched_run_state *state);

/* The key of such a deadlock; `plain`: sched_deadlock_key. Caller frees. */
char *sched_mixed_key(const char *plain);
/* All runs are there: what is told as a deadlock with zero or infinite buffering already is not told
 * again. */
void sched_mixed_settle(struct sched_result *result);

#endif
