/* SPDX-License-Identifier: BSD-3-Clause */
/* The conflicts that a run has shown, until its end: only then is known what may have ordered them after all
 * (causes.h). */
#ifndef SCHED_RMA_CONFLICTS_H
#define SCHED_RMA_CONFLICTS_H

#include "accesses.h"
#include "causes.h"
#include "check/check.h"

struct sched_conflicts;

struct sched_conflicts *sched_conflicts_create(int ranks);
void sched_conflicts_destroy(struct sched_conflicts *conflicts);
/* Nothing orders these two, which share these bytes; none: they are of one window, and in epochs of different
 * kinds. Both are copied. */
void sched_conflicts_add(struct sched_conflicts *conflicts, const struct sched_rma_access *a,
                         const struct sched_rma_access *b, struct isp_access_run common);
/* Adds a finding for each two places in the program. */
void sched_conflicts_report(const struct sched_conflicts *conflicts, const struct sched_causes *causes,
                            struct sched_run *run);

#endif
