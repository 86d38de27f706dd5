/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polling. A polling loop must not be unrolled for ever: after K `not yet`s in a row at one
 * call site the poll waits like a fence. That loses nothing if the program's state is what it was after the
 * last `not yet` there: it would only do the same again. Where it may have changed (ISP_F_CHANGED, or other
 * calls in between) a series early in a run may be longer; and where `not yet` is cut all the same,
 * poe_first_cut says so. If nothing at all can move, polls are told `not yet` anyway, in turn, until that has
 * happened so often without progress or change that it is a livelock.
 */
#ifndef POE_POLL_H
#define POE_POLL_H

#include "state.h"

/* What makes polls the same: one line of the program, whoever calls it. */
static inline uint32_t poe_poll_site(const struct isp_call *call)
{
    return call->place ? call->place : call->site;
}

/* A new poll: whether it waits. */
void poe_poll_add(struct poe *poe, struct poe_op *poll);
void poe_poll_answered(struct poe *poe, const struct poe_op *poll, bool yes);
/* `Not yet` was decided; `other`: another alternative came first. */
void poe_poll_denied(struct poe *poe, const struct poe_op *poll, bool other);
/* Nothing moves: tells the poll that was told least often `not yet` (POE_FIRED); POE_LIVELOCK when
 * every polling rank heard that too often; POE_DEADLOCK if none polls. `withheld`: something could move, but
 * is put off. */
enum poe_state poe_poll_force(struct poe *poe, bool withheld);

#endif
