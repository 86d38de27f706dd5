/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool's jobs, one after the other, in this process. */
#ifndef SCHED_ALONE_H
#define SCHED_ALONE_H

#include "explore.h"
#include "pool.h"
#include "progress.h"
#include "save.h"

/* Explores jobs until none is left, or something ends it (x->stop, x->error). save: or NULL. */
void sched_alone_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save,
                         struct sched_progress *progress);

/* Explores one into the pool's result; x->host is the caller's. If something is left of it, that is returned,
 * and saved (unless save is NULL). */
struct sched_job *sched_explore_into(struct sched_explore *x, struct sched_pool *pool,
                                     struct sched_save *save, const struct sched_job *job);

#endif
