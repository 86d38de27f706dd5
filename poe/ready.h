/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between finding a match set and firing it: the queue of those that are ready, and the members and
 * effects of the one that was fired last.
 */
#ifndef POE_READY_H
#define POE_READY_H

#include "state.h"

void poe_ready_push(struct poe *poe, struct poe_ready ready);
/* The fence is answered, as its `answer` and `taken` say. */
void poe_ready_fence(struct poe *poe, struct poe_op *fence);
/* A fired set's members and effects, for poe_fired. */
void poe_fired_clear(struct poe *poe);
void poe_fired_member(struct poe *poe, const struct poe_op *op);
struct poe_effect *poe_fired_effect(struct poe *poe, int rank);

#endif
