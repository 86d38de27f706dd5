/* SPDX-License-Identifier: BSD-3-Clause */
/* What cuts/ is to know of a recorded run, and cuts as limits of a stand. */
#ifndef SCHED_DEBUG_RECORDED_CUTS_H
#define SCHED_DEBUG_RECORDED_CUTS_H

#include "cuts/cuts.h"
#include "record.h"

/* Caller destroys. */
struct cuts_run *sched_recorded_cuts(const struct sched_record *record, bool buffered);

/* The causal stop at this event: limits of all ranks, so that its rank stands at it. False: it never gets
 * there. */
bool sched_cut_at(struct cuts_run *cuts, struct sched_record_name event, uint64_t *limits);
/* The earliest cut in which it has returned. */
bool sched_cut_after(struct cuts_run *cuts, struct sched_record_name event, uint64_t *limits);

#endif
