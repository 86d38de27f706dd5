/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -j K: K processes explore subtrees at the same time, each in worlds of its own; the result is the one of a
 * single search. This process keeps the pool, the terminal and the signals. When a worker has nothing to do
 * and the pool is empty, one that is busy gives away all further alternatives of its first decision that has
 * some, and goes on below what it takes there itself.
 *
 * Law 8: a worker dies with this process (PDEATHSIG), and its guards with it. A worker that dies alone had a
 * job: that is done again, from the state that it told last.
 */
#ifndef SCHED_WORKERS_H
#define SCHED_WORKERS_H

#include "explore/explore.h"
#include "explore/pool.h"
#include "explore/progress.h"
#include "explore/save.h"

/* Explores the pool's jobs until none is left, or something ends it (x->stop, x->error). */
void sched_workers_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *saving,
                           struct sched_progress *progress);

#endif
