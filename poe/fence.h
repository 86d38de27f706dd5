/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fences: where a rank waits, when it may go on, and what it learns then. The Wait and
 * Test families are here, since they are nothing but fences.
 */
#ifndef POE_FENCE_H
#define POE_FENCE_H

#include "state.h"

/* The COMPLETE may name its operations: each has a request, stands there once, and no other thread of the
 * rank is in a COMPLETE of it, unless both only ask (ISP_F_KEEP) and name nothing else. */
bool poe_fence_complete_is_valid(struct poe *poe, int rank, const struct isp_call *complete);
/* Sets up the operations of such a COMPLETE. */
void poe_fence_complete_init(struct poe *poe, struct poe_op *op);
/* The fence waits until it succeeds: it is no poll, or one that has said `not yet` often enough. */
bool poe_fence_waits(const struct poe_op *fence);
/* A COMPLETE or CANCEL that needs no decision: it succeeds once nothing is missing. */
bool poe_fence_is_deterministic(const struct poe_op *fence);

/* Whether the program knows that a COMPLETE succeeds: it has seen it before, or it waits for nobody. */
bool poe_fence_is_known(const struct poe_op *fence);

/* MPI_Buffer_detach: waits until the rank's buffered sends are matched, unless buffering is infinite. */
void poe_fence_detach(struct poe *poe, struct poe_op *fence);
/* A buffered send of the rank was matched. */
void poe_fence_delivered(struct poe *poe, int rank);

/* The operation is complete in the sense of MPI_Wait. */
void poe_fence_complete(struct poe *poe, struct poe_op *op);
/* Fires a fence that is ready: consumes what it completes and releases its rank. */
void poe_fence_answer(struct poe *poe, struct poe_op *fence);
/* The rank goes on: effect, clocks, end of the fence's operation. */
void poe_fence_release(struct poe *poe, struct poe_op *fence, const struct isp_result *result);

#endif
