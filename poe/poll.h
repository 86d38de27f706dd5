/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polling. A polling loop must not be unrolled for ever: after K `not yet`s in a row at one
 * call site the poll waits like a fence. If then nothing at all can move, polls are told
 * `not yet` anyway (a program may do something else after some polls), in turn, until
 * that has happened so often without progress that it is a livelock.
 */
#ifndef POE_POLL_H
#define POE_POLL_H

#include "state.h"

/* What makes polls the same: one line of the program, whoever calls it. */
static inline uint32_t poe_poll_site(const struct isp_call *call) { return call->place ? call->place : call->site; }

bool poe_poll_is_exhausted(const struct poe *poe, const struct poe_op *poll);
void poe_poll_answered(struct poe *poe, struct poe_thread *thread, uint32_t site, bool yes);
/* Nothing moves: tells the poll that was told least often `not yet` (POE_FIRED); POE_LIVELOCK when
 * every polling rank heard that too often; POE_DEADLOCK if none polls. */
enum poe_state poe_poll_force(struct poe *poe);

#endif
