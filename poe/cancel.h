/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Cancel (MPI-4.0, 3.8.4). It is local, and only marks an operation: until that is completed it either
 * gets its message or is cancelled, and then its message is for another receive.
 *
 * A receive that is marked is decided like a wildcard, with one alternative more: that it is cancelled.
 * Where its message came before the mark, being cancelled is an alternative that shows up later (race.h),
 * unless the program knew that it was complete. So in programs that call MPI_Cancel the match of any receive
 * that could be cancelled is a decision (ISP_F_CANCELLABLE). What was matched without one (the flag was not
 * set, or it is the receive of a matched probe) stays so, which is told (cut.h).
 *
 * A send is cancelled only when nothing else can move and no receive has taken it; where it could have gone
 * the other way, that is told as well.
 */
#ifndef POE_CANCEL_H
#define POE_CANCEL_H

#include "state.h"

/* The fence, an MPI_Cancel of `op`, is called. */
void poe_cancel_call(struct poe *poe, struct poe_op *fence, struct poe_op *op);
/* It is decided: of this receive, or of what this MPI_Cancel names, that it is cancelled. */
void poe_cancel_take(struct poe *poe, struct poe_op *op);
/* What was decided happens. */
void poe_cancel_fire(struct poe *poe, struct poe_op *op);
/* The fence is over. */
void poe_cancel_answered(struct poe *poe, const struct poe_op *fence);
/* A receive or probe is called: it might have got a message whose send was cancelled. */
void poe_cancel_wanted(struct poe *poe, const struct poe_op *op);

#endif
