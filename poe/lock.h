/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows: who holds which, and who is in whose way. When one is granted: visit.h.
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
/* Nobody holds what is in its way. */
bool poe_lock_is_free(const struct poe *poe, const struct isp_call *wanted);
void poe_lock_hold(struct poe *poe, int rank, const struct isp_call *lock);
void poe_lock_release(struct poe *poe, int rank, const struct isp_call *unlock);
/* The ranks whose locks are in the way of the LOCK. */
void poe_lock_missing(const struct poe *poe, const struct poe_op *fence, bool *wanted);

#endif
