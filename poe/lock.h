/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows, and turns (ISP_OP_LOCK): granted when all ranks wait and nothing is ready, so that who gets one
 * first does not depend on time. One order is run, not all of them.
 */
#ifndef POE_LOCK_H
#define POE_LOCK_H

#include "state.h"

struct poe_lock {
    int rank, comm, peer; /* peer: the target, or ISP_ANY_SOURCE: all of the window's */
    uint8_t mode;
};

/* LOCK: its target is there. UNLOCK: the rank holds it. */
bool poe_lock_is_valid(const struct poe *poe, int rank, const struct isp_call *call);
/* Nothing else can move: fires those LOCKs that can be held together. False if there is none. */
bool poe_lock_grant(struct poe *poe);
void poe_lock_release(struct poe *poe, int rank, const struct isp_call *unlock);
/* The ranks whose locks are in the way of the LOCK. */
void poe_lock_missing(const struct poe *poe, const struct poe_op *fence, bool *wanted);

#endif
