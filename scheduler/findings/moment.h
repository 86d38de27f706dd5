/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the depth-first search comes to a run: all runs without buffered sends before those of the exploration
 * with them, and there by their decisions, lexicographically. The name of an interleaving says these; zeros
 * at its end do not matter. So parts of an exploration that were made at the same time, or in any order, can
 * be put together as if one search had made them.
 */
#ifndef SCHED_MOMENT_H
#define SCHED_MOMENT_H

#include <stdbool.h>

struct sched_moment {
    bool buffered;
    const char *interleaving; /* NULL: after all runs */
};

/* Negative, 0 or positive, as strcmp. */
int sched_moment_compare(struct sched_moment a, struct sched_moment b);
/* The decision, from 0, at which two runs of one exploration part. False: they are one. */
bool sched_moment_parting(const char *a, const char *b, unsigned *decision);
/* What the run of this name takes there. */
unsigned sched_moment_decision(const char *interleaving, unsigned decision);

#endif
