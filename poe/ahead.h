/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the ranks of a recorded run with buffered sends are ahead: what they have done that they could not
 * have done if MPI had kept nothing (kept.h). Deadlocks with mixed buffering are cuts of the run (mixed.h),
 * and all that comes before is in each of them. So they depend on the state, and on this: MIXED.md.
 */
#ifndef POE_AHEAD_H
#define POE_AHEAD_H

#include "hash.h"

/* Adds it, for a run at a choice point; of other runs nothing. False: it is not known, or too much. */
bool poe_ahead_add(const struct poe *poe, struct poe_hash *hash);

#endif
