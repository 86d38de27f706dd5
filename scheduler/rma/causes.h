/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order by memory. A rank may learn from the value that it reads in a window that another one has got
 * somewhere: it polls a flag with MPI_Fetch_and_op, takes a lock that is made of atomics, reads a counter
 * under an exclusive lock. MPI allows that, and no clock knows of it, since what was read depends on the run.
 * So two accesses are not in conflict if such a thing may lie between them: their ranks are linked by places
 * that one writes after its access and the other reads before its own, in a way that makes such reading safe.
 */
#ifndef SCHED_RMA_CAUSES_H
#define SCHED_RMA_CAUSES_H

#include "accesses.h"

struct sched_causes;

struct sched_causes *sched_causes_create(int ranks);
void sched_causes_destroy(struct sched_causes *causes);
/* Notes what may be such a write or read; after the access has its time. */
void sched_causes_note(struct sched_causes *causes, const struct sched_rma_access *access);
/* Whether the rank `from` may, after its time `begin`, have told the rank `to`, before what that began at
 * `end` knowing `known`. */
bool sched_causes_may_link(const struct sched_causes *causes, int from, uint32_t begin, int to, uint32_t end,
                           const uint32_t *known);

#endif
