/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each rank knows of the others: vector clocks over everything that orders two ranks in MPI, as the
 * standard promises it and whatever the run did (messages, collectives as far as their data flows, probes,
 * post and start, complete and wait). A standard send tells its sender nothing about the receiver, and locks
 * order nothing: the other could have been first.
 *
 * A rank's own component counts what it tells. What a nonblocking operation brings is known when it is
 * complete for the program. (poe has clocks too: they count decisions only, and only where there are some.)
 */
#ifndef SCHED_RMA_CLOCKS_H
#define SCHED_RMA_CLOCKS_H

#include "poe/poe.h"

struct sched_clocks;

struct sched_clocks *sched_clocks_create(int ranks, bool buffered);
void sched_clocks_destroy(struct sched_clocks *clocks);
struct sched_clocks *sched_clocks_copy(const struct sched_clocks *clocks);

/* The next event of a rank; returns its time (from 1). */
uint32_t sched_clocks_tick(struct sched_clocks *clocks, int rank);
/* What the rank knows now of the ranks, itself included. */
const uint32_t *sched_clocks_of(const struct sched_clocks *clocks, int rank);
/* Changes whenever the rank learns something, or tells another something. */
uint32_t sched_clocks_version(const struct sched_clocks *clocks, int rank);

/* A record, before poe has it; after the tick. */
void sched_clocks_record(struct sched_clocks *clocks, int rank, const struct isp_call *call);
/* A fired match set. `wait_over` is called for each signal of MPI_Win_complete that a rank has now waited
 * for, `request_over` for each operation that is complete for its rank. */
struct sched_clocks_watcher {
    void (*wait_over)(void *context, int origin, int target, int window);
    void (*request_over)(void *context, int rank, uint32_t handle);
    void *context;
};
void sched_clocks_fired(struct sched_clocks *clocks, const struct poe *poe, const struct poe_fired *fired,
                        const struct sched_clocks_watcher *watcher);

#endif
