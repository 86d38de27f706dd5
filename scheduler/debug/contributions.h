/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each rank gave to a reduction, as numbers; and of those that choose (MPI_MAX, MPI_LAND ...) whose it
 * was.
 */
#ifndef SCHED_DEBUG_CONTRIBUTIONS_H
#define SCHED_DEBUG_CONTRIBUTIONS_H

#include "origin.h"
#include "why.h"

/* Goes to the call of each rank that gave something, and reads it there. `value`: the first `size` bytes of
 * the result. Then one stands where the answer says (SCHED_WHY_REDUCED). False: session->why. */
bool sched_contributions_find(struct sched_session *session, const struct sched_origin *origin,
                              const void *value, uint64_t size, struct sched_why *answer);

#endif
