/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matches-before, per message (Vo's dissertation, conditions C1 to C4').
 *
 * The paper keeps for each transition its immediate ancestors: those that must match
 * first. C1 needs no storage here, since a rank that is in a fence issues nothing. C3 and C4 are
 * the order of the queues: a message may match only as the first of its channel that the
 * receive accepts, and a receive only if no earlier pending receive accepts the message. That is
 * decided for each pair, so C4' (a wildcard behind a named receive) holds for just
 * the messages that the named receive would take.
 *
 * Whoever wants to see the order asks ancestors.h, of a run that is known.
 *
 * A held message or receive (ISP_F_HELD) has its place in its queue, and matches when it is ready: MPI
 * matches partitioned communication in the order of its starts.
 */
#ifndef POE_MATCHES_BEFORE_H
#define POE_MATCHES_BEFORE_H

#include "communicator.h"
#include "state.h"

/* Whether a receive or probe accepts a message of its own communicator. */
bool mb_accepts(const struct poe_op *receive, const struct poe_op *send);
/* Whether an earlier pending receive of the inbox accepts the message (an ancestor of this pair).
 * For a probe, which is in no queue, all of them are earlier. */
bool mb_shielded(const struct poe_inbox *inbox, const struct poe_op *receive, const struct poe_op *send);
/* The message of this source that the receive or probe may match now, or NULL. */
struct poe_op *mb_enabled(const struct poe_inbox *inbox, const struct poe_op *receive, int source);
/* That of a channel of the inbox. */
struct poe_op *mb_enabled_in(const struct poe_inbox *inbox, const struct poe_op *receive,
                             const struct poe_channel *channel);
/* Any such message, of any source that `skip` (bits by world rank, or NULL) does not exclude. */
struct poe_op *mb_enabled_any(const struct poe_inbox *inbox, const struct poe_op *receive,
                              const uint64_t *skip);

static inline bool poe_bit(const uint64_t *bits, uint32_t i)
{
    return bits && (bits[i / 64] >> (i % 64) & 1);
}

#endif
