/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that go ahead (docs/decentralized.md): they do not wait for isp, which follows behind. Frames of a
 * rank are taken up to its next fence; the rest waits until poe has released that. Where poe comes to a
 * choice that the ranks have made already, the alternative that they tell is taken: as a rule *later*, if it
 * is not there yet. So poe plays what the ranks have done, and knows what else they could have.
 *
 * Ranks number their operations and communicators without asking; here these numbers become poe's.
 *
 * All does nothing in a world whose ranks wait.
 */
#ifndef SCHED_AHEAD_H
#define SCHED_AHEAD_H

#include "inside.h"

/* A frame has come. True: it is kept for later, or was for this file. */
bool sched_ahead_keeps(struct sched_world *world, int rank, uint8_t type, struct isp_reader *in);
/* The connection has ended. True: it is kept for later. */
bool sched_ahead_keeps_end(struct sched_world *world, int rank);
/* Takes frames of ranks that poe has released. True: there were some. */
bool sched_ahead_feed(struct sched_world *world);

/* Numbers in a record become poe's, and others that ranks tell. */
void sched_ahead_rename(struct sched_world *world, int rank, struct isp_call *call);
int32_t sched_ahead_comm(const struct sched_world *world, int rank, int32_t comm);
uint32_t sched_ahead_handle(const struct sched_world *world, int rank, uint32_t handle);

/* True: the rank is not to be told of this effect, since it did not wait for it. */
bool sched_ahead_takes(struct sched_world *world, const struct poe_effect *effect);
/* The rank is to be told that it may finalize: so it is, with its operations that nothing has matched. */
void sched_ahead_finalize(struct sched_world *world, int rank, struct isp_result result);

/* Which alternative of the choice the ranks have taken (its n: *later*); negative: it is isp's to decide. */
int sched_ahead_shown(const struct sched_world *world, const struct poe_choice *choice);
/* poe has come to a choice. False: whose it is has not said yet what it has done. */
bool sched_ahead_has_shown(struct sched_world *world);
/* What was told of these is not needed any more. */
void sched_ahead_fired(struct sched_world *world, const struct poe_fired *fired);

/* Nothing moves in poe, but a rank has gone on: then MPI did what poe does not know. The run ends, and is to
 * be made again with ranks that wait. Where MPI may buffer what poe does not, that is nothing strange. */
bool sched_ahead_is_disproved(struct sched_world *world);
/* A rank has done what poe has not come to (dying: and it died of it, as it has told). */
bool sched_ahead_is_behind(const struct sched_world *world, bool dying);
/* The same if all ranks wait, though poe has released some, or waits for what they tell. */
void sched_ahead_check(struct sched_world *world);

void sched_ahead_finish(struct sched_ahead_rank *ahead);

#endif
