/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The beginning of a process that isp forks and that outlives isp for a moment, to clean up: the guard of a
 * world, the broom. It has a session of its own, so that what a terminal sends to isp's process group does
 * not reach it.
 */
#ifndef SCHED_OUTLIVE_H
#define SCHED_OUTLIVE_H

#include <signal.h>
#include <stddef.h>

/* In the child. `name` is what ps shows, at most 15 bytes. */
void sched_outlive(const char *name);
/* In a child of this one, which is to get such signals again, but for those that isp had been told to
 * ignore. */
void sched_outlive_restore(const sigset_t *ignored);
/* The standard descriptors lead nowhere. */
void sched_outlive_standard(void);
/* Closes all descriptors from 3 on but these, which it sorts. */
void sched_outlive_keep(int *fds, size_t n);

#endif
