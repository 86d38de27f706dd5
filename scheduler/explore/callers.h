/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From where a call site was called that a finding names. Runs know return addresses only, since unwinding
 * stacks takes time at each call (--stacks). So the first interleaving of each finding that has a site
 * outside of the program's main function is run once more, with the callers; what it shows is the same
 * finding in better words, and ways to all calls of the run say which functions are wrappers
 * (sites/wrappers.h).
 *
 * These runs are no interleavings. A finding that they do not show stays as it was.
 */
#ifndef SCHED_CALLERS_H
#define SCHED_CALLERS_H

#include "explore.h"

/* When the exploration is over, as far as that takes no longer than the exploration did. */
void sched_callers_find(struct sched_explore *x);

/* Listens to a run with stacks: which operations were called where. self: the struct sched_sites. */
extern const struct sched_listener sched_callers_listener;

#endif
