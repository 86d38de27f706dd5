/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delivery. A rank that waits in a fence gets its actions at the end of the turn in which they fired, with
 * its release if that fired too. A rank that runs gets them when it waits again.
 *
 * Why this cannot deadlock (law 1). Both ends of a pair are queued in the same turn. What a rank is sent at
 * once, a batch, holds the pairs of an interval of turns, issues all that does not block, and then completes
 * all; its release, if any, comes last and belongs to the last of these turns. So a rank that is stuck in a
 * batch waits for a pair of some turn t, whose other end lies in a later batch of its partner: the partner is
 * stuck in a batch of turns before t, or (the release of a collective of turn t) in the actions of a batch
 * that ends in turn t. Along a chain of such waits (turn, actions before release) only decreases: no cycle,
 * and the last of the chain is a rank that runs. With several threads a rank does the same things one after
 * the other, in one order (profiler/threads/thread.h); the releases of one turn are among themselves in the
 * order in which they fired, and are compared by it.
 */
#ifndef SCHED_DELIVERY_H
#define SCHED_DELIVERY_H

#include "inside.h"

/* What has fired is to be delivered. */
void sched_delivery_queue(struct sched_world *world, const struct poe_fired *fired);
/* Sends a process the actions and releases of a GO frame, as they stand there. */
void sched_delivery_send(struct sched_world *world, int rank, const void *body, size_t size, uint8_t marks);
/* A rank that goes ahead is told this, before poe has come to it. */
void sched_delivery_agree(struct sched_world *world, int rank, const struct isp_result *result);
/* All processes are told to end. */
void sched_delivery_dismiss(struct sched_world *world);

#endif
