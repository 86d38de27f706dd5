/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Barriers that are functionally irrelevant (poe/barrier.h): gathered over all runs of an exploration,
 * and told when it is complete. Nothing is told of a program of which some run did not get to its end, nor
 * where something beside messages may need the order.
 */
#ifndef SCHED_CHECK_BARRIERS_H
#define SCHED_CHECK_BARRIERS_H

#include "check.h"

/* One call site in one run: as struct poe_barrier. */
struct sched_barrier {
    uint32_t site, group; /* group: barriers of one group have one number */
    bool matters;
    bool *ranks; /* that called it */
};

/* What a run showed; runs that show the same are kept once. */
struct sched_barrier_run {
    struct sched_barrier *all;
    size_t n;
    bool buffered;
    char *interleaving; /* the first */
};

struct sched_barriers {
    struct sched_barrier_run *runs;
    size_t n_runs;
    bool unclear;
};

/* A run has ended: `finished`, or else. */
void sched_barriers_take(struct sched_barriers *barriers, const struct sched_run *run, bool finished);
/* Adds one of another part of the exploration; what it points to is taken over. */
void sched_barriers_add(struct sched_barriers *barriers, struct sched_barrier_run *run, int ranks);
/* The exploration was complete: one note for each group that does not matter. */
void sched_barriers_report(const struct sched_barriers *barriers, struct sched_run *run);
void sched_barriers_finish(struct sched_barriers *barriers);

#endif
