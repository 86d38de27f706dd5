/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready sends: their receive must be posted before they begin (MPI-4.0, section 3.4). A clock has one more
 * component for each rank whose main thread posts receives: the first k of them happened before. Since a
 * component of this kind claims all that is true, it tells whether the order of calls makes the receive
 * certain, whatever the timing of this run.
 *
 * The order that counts is the one with buffered sends, in both modes: what only the lack of a buffer orders
 * is not certain. What poe does not see may order them as well: other threads of the ranks, and window memory
 * under a lock; then it says nothing.
 */
#ifndef POE_READY_SEND_H
#define POE_READY_SEND_H

#include "state.h"

/* The thread is about to post a receive: returns its number. */
uint32_t poe_ready_send_post(struct poe *poe, struct poe_thread *thread);
/* The thread is about to tell others what it knows: its clock counts the receives from now on. That is not
 * done for each receive, so that many in a row need one clock. */
void poe_ready_send_tell(struct poe *poe, struct poe_thread *thread);
/* Whether calls may be ordered by what poe does not see. */
bool poe_ready_send_is_blind(const struct poe *poe);
/* Whether the receive, which matches it, may still have been missing when the ready send began. */
bool poe_ready_send_may_miss(struct poe *poe, const struct poe_op *send, const struct poe_op *receive);

#endif
