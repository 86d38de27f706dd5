/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The space of the attached buffer (MPI-4.0, sections 3.6 and 3.6.1): a buffered send needs it until its
 * message is delivered. That is certain only when the sender has been told so, by way of whoever received it:
 * until then the message may still be in the buffer in some legal order, and a lack of space that such an
 * order shows is an error.
 *
 * Each message that may be pending has a component of the clocks (clock.h) to itself; where it is received
 * its clock says that. A component is used again for a later message once its own is known to be delivered,
 * with the next value. The order that counts is the one with buffered standard sends, as for ready sends; and
 * as there nothing is said where poe does not see all that orders calls.
 */
#ifndef POE_ATTACHED_H
#define POE_ATTACHED_H

#include "state.h"

/* A buffered send begins. */
void poe_attached_send(struct poe *poe, struct poe_op *send);
/* It is received: what `clock` knows then; takes over the reference. */
struct poe_clock *poe_attached_received(struct poe *poe, const struct poe_op *send, struct poe_clock *clock);
/* MPI_Buffer_detach is over. */
void poe_attached_detach(struct poe *poe, int rank);

#endif
