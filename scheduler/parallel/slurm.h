/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --slurm: the search as array jobs of Slurm. This process explores until there are enough subtrees, writes
 * each to a file as --save does, and submits one task for each; a task is `isp --resume FILE --slurm-task`,
 * which explores its subtree, brings the file up to date and reports nothing. When all have ended the files
 * are merged. Branches that the tasks have found to be needed outside of their subtrees are the next round;
 * what a task has not finished, for whatever reason, is explored here.
 *
 * The files are in a folder below the working directory, which all nodes must see. Ranks run on the node of
 * their task.
 */
#ifndef SCHED_SLURM_H
#define SCHED_SLURM_H

#include "explore/explore.h"
#include "explore/pool.h"
#include "explore/save.h"

/* Explores the pool's jobs until none is left, or something ends it (x->stop, x->error). */
void sched_slurm_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save);

#endif
