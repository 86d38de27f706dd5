/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to the memory of windows that nothing orders (`rma-conflict`, MPI-4.0, section 12.7), in one run.
 * Whether two are in conflict is decided by what synchronization promises about their order (clocks.h), never
 * by which came first here: so every run of the program that makes the two calls shows the conflict.
 *
 * An access begins with its call, and ends with what completes it at the target: the fence, the target's
 * MPI_Win_wait, the unlock, the flush. It comes before another one if the other's rank knew of that end when
 * it began. Locks of the same target that exclude each other order two accesses in some way, and that is
 * enough.
 *
 * Nothing is counted before the first window is made, and nothing is found in a program whose ranks have
 * several threads: sched_rma_unexplored says so.
 */
#ifndef SCHED_RMA_H
#define SCHED_RMA_H

#include "run/run.h"
#include "isp/access.h"

struct sched_rma;

struct sched_rma *sched_rma_create(int ranks, bool buffered);
void sched_rma_destroy(struct sched_rma *rma);

/* It listens to the calls and match sets of the run. */
extern const struct sched_listener sched_rma_listener;
/* Between these, in the order of the run: an access, with global site and types. */
void sched_rma_access(struct sched_rma *rma, struct sched_run *run, int rank,
                      const struct isp_access *access);
/* Some window was made. */
bool sched_rma_is_on(const struct sched_rma *rma);
/* Ranks have a window of shared memory. */
bool sched_rma_shares(const struct sched_rma *rma);
/* The run is over: adds what was found. */
void sched_rma_report(struct sched_rma *rma, struct sched_run *run);
/* What was not looked at: accesses of ranks with several threads, or every order of two atomic accesses which
 * can be told apart and took no turns (ISP_LOCK_ATOMIC). NULL: there were none. Caller frees. */
char *sched_rma_unexplored(const struct sched_rma *rma, const struct sched_run *run);

#endif
