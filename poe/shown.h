/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What shows up in a run: messages that are sent, and operations that complete. A decision that was made
 * before may have a race with it (race.h); and where a state that is known comes up again in another run
 * (states.h), the decisions of that run may have one with what is known to show up below it.
 *
 * For that the clock of each thing says whose state at an earlier choice point it depends on. So, with
 * config.merge, clocks have one more component for each rank: after how many decisions of the run the rank
 * made a call, of which this is known.
 */
#ifndef POE_SHOWN_H
#define POE_SHOWN_H

#include "state.h"

enum poe_shown_kind { POE_SHOWN_MESSAGE, POE_SHOWN_COMPLETION };

struct poe_shown {
    enum poe_shown_kind kind;
    int rank;                /* the sender; or whose operation it is */
    int32_t comm, peer, tag; /* MESSAGE */
    uint32_t handle;         /* COMPLETION */
    unsigned born;           /* COMPLETION: decisions that were made before the operation came */
    unsigned at;             /* ... before this */
    struct poe_clock *clock; /* what is known where it is sent, or completes */
};

/* The rank records a call. */
void poe_shown_call(struct poe *poe, int rank, const struct isp_call *call);
/* The two are a pair. What a rank that waits in a receive has in the receive's buffer is no part of its state
 * (profiler/state/STATE.md): the message will be there instead. That is so only if the message fills it. */
void poe_shown_pair(struct poe *poe, const struct poe_op *send, const struct poe_op *receive);
void poe_shown_message(struct poe *poe, const struct poe_op *send);
void poe_shown_completion(struct poe *poe, const struct poe_op *op);
/* What has shown up is told, and forgotten. */
void poe_shown_forget(struct poe *poe);

/* Of which decisions of the rank the clock knows a call that was made after them: it knows one after so many
 * decisions of the run. */
uint32_t poe_shown_stamp(const struct poe *poe, const struct poe_clock *clock, int kind, int rank);

#endif
