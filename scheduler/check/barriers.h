/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Barriers that are functionally irrelevant (poe/barrier.h): gathered over all runs of an exploration, and told when it is complete.
 * Nothing is told of a program of which some run did not get to its end, nor where something beside messages may need the order.
 */
#ifndef SCHED_CHECK_BARRIERS_H
#define SCHED_CHECK_BARRIERS_H

#include "check.h"

struct sched_barrier {
    uint32_t site, group; /* the group's name is its first site */
    bool matters;
    bool *ranks;          /* that called it */
};

struct sched_barriers {
    struct sched_barrier *all;
    size_t n;
    int ranks;
    bool unclear;
};

/* A run has ended: `finished`, or else. */
void sched_barriers_take(struct sched_barriers *barriers, const struct sched_run *run, bool finished);
/* The exploration was complete: one note for each group that does not matter. */
void sched_barriers_report(const struct sched_barriers *barriers, struct sched_run *run);
void sched_barriers_finish(struct sched_barriers *barriers);

#endif
