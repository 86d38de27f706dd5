/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Win_fence that ends no epoch. With MPI_MODE_NOPRECEDE it is known to end none, and does not necessarily
 * act as a barrier (MPI-4.0, 12.5.1). Accesses after it may reach a target only when that one has called it.
 * So, with buffering, the rank goes on at once, and waits for the others in its next call on the window; MPI
 * gets the fence when all are there. Other assertions leave an epoch that may end: then all must be there.
 */
#ifndef PROF_EARLY_FENCE_H
#define PROF_EARLY_FENCE_H

#include "windows.h"

bool prof_early_fence_may(const struct prof_win *w, int assert);
/* Instead of the fence; call is its record. */
void prof_early_fence_begin(struct prof_win *w, int assert, struct isp_call *call);
/* All members are there: gives it to MPI. */
int prof_early_fence_issue(struct prof_op *op);
/* A call on the window: waits for the others if that is not done yet. w may be NULL. The second one in a call
 * that does not steer the run. */
void prof_early_fence_settle(struct prof_win *w);
void prof_early_fence_settle_access(struct prof_win *w);

#endif
