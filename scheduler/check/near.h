/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses: a send and a receive that do not match, and look as if they should. */
#ifndef SCHED_CHECK_NEAR_H
#define SCHED_CHECK_NEAR_H

#include "check.h"

/* Says for each of these sends, receives and probes, which hold their ranks, what comes nearest to it; a few
 * lines at most. */
void sched_near_misses_tell(struct sched_run *run, const struct poe_transition *const *blocked, size_t n,
                            struct sched_draft *draft);

/* What is nearly right with it, in a letter: in what the nearest differs, or that a wildcard took what it
 * waits for; not which ranks these are. '-': nothing. */
char sched_near_miss_kind(struct sched_run *run, const struct poe_transition *blocked);

#endif
