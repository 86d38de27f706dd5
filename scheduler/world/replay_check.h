/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Law 4: replaying the same choices gives the same run. Compares what each rank does with what it did in
 * the runs before, as far as they must agree.
 *
 * How far that is: at choice point k every rank waits in a fence, and what it did up to there follows from
 * the decisions before k. So if a run shares its first p decisions with the run before it and takes another
 * alternative at decision p, the records up to choice point p must be the same; nothing after it need be.
 */
#ifndef SCHED_REPLAY_CHECK_H
#define SCHED_REPLAY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"
#include "run/listener.h"

struct sched_replay_check;
struct sched_replay_state;

struct sched_replay_check *sched_replay_check_create(int ranks);
void sched_replay_check_destroy(struct sched_replay_check *check);

/* A new run: its first `forced` decisions are given, and all but the last of these were the same in
 * the run before. */
void sched_replay_check_begin(struct sched_replay_check *check, unsigned forced);
/* It listens to calls and choice points, and notes the first rank that has done something else. */
extern const struct sched_listener sched_replay_check_listener;
/* That rank, or -1. *at: its call; NULL: it was seen at a choice point. */
int sched_replay_check_differs(const struct sched_replay_check *check, const struct isp_call **at);

/* A run is taken back to an earlier point, or a later run begins there: what sched_replay_check_begin has set
 * stays. */
struct sched_replay_state *sched_replay_check_save(const struct sched_replay_check *check);
void sched_replay_check_restore(struct sched_replay_check *check, const struct sched_replay_state *state);
void sched_replay_state_destroy(struct sched_replay_state *state);
/* The next record of the rank's thread (call->thread); threads are compared one by one, since the order among
 * them is not the program's; `site` is global, comm_key is the communicator's. False: it is the first of this
 * rank that differs, or (in long runs, where not every record is kept) one that follows the first closely. */
bool sched_replay_check_record(struct sched_replay_check *check, int rank, const struct isp_call *call,
                               uint32_t site, uint64_t comm_key);
/* Of all that the ranks have called in this run, in the order of each; not 0. */
uint64_t sched_replay_check_digest(const struct sched_replay_check *check);
/* Choice point `number` was reached. Returns a rank that has done something else than before, or -1. */
int sched_replay_check_choice(struct sched_replay_check *check, unsigned number);

#endif
