/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of a collective: what one member gives to another, which must be just what that one takes from it
 * (MPI-4.0, chapters 6 and 8). Between the root and each member; or between all, each with each; or along the
 * edges of a topology.
 */
#ifndef SCHED_CHECK_PARTS_H
#define SCHED_CHECK_PARTS_H

#include "check.h"
#include "types.h"

struct sched_part {
    const struct poe_transition *from, *to;
    struct sched_items given, taken;
    int given_at, taken_at; /* where it stands in the argument of either; -1: one value holds for all */
};

struct sched_misfits {
    struct sched_part *list; /* parts of which the two ends differ */
    size_t n;
    bool sizes; /* ... of one of them, even in size */
};

/* All members of it have fired; it is no reduction. The caller frees the list. */
struct sched_misfits sched_parts_compare(const struct sched_run *run, const struct poe_fired *fired);
/* Reports them: one finding, which shows the rank that is in most of them. */
void sched_parts_report(struct sched_run *run, const struct sched_misfits *misfits);
/* Of a reduction: whether all members (of one side) say the same of how its result is scattered
 * (MPI_Reduce_scatter). */
bool sched_parts_scatter_alike(const struct sched_run *run, const struct poe_fired *fired);

#endif
