/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a world say of their states, at a choice point: by that choice points are compared
 * (poe/states.h). */
#ifndef SCHED_WORLD_STATES_H
#define SCHED_WORLD_STATES_H

#include "poe/states.h"
#include "world.h"

/* All ranks wait. Asks those that have moved since they were asked last, and adds what all of them have
 * said, and what isp itself remembers of them, to *key. False: some state is not known, and *why says why;
 * or the run has ended meanwhile. */
bool sched_world_states(struct sched_world *world, struct poe_key *key, const char **why);

/* Nobody will ask for states any more. */
void sched_world_leave_states(struct sched_world *world);

/* Each rank's state is there, not just what it was: they can be kept, and compared. */
bool sched_world_states_can_be_compared(const struct sched_world *world);
/* Of a rank whose state was asked: its hash. */
void sched_world_state(const struct sched_world *world, int rank, uint64_t *low, uint64_t *high);
/* It keeps what its state is made of, under this number. */
void sched_world_keep_state(struct sched_world *world, int rank, uint32_t number);
/* How it differs from that: ISP_MSG_DIFFERS, valid until the next call. False: it has not told. */
bool sched_world_compare_state(struct sched_world *world, int rank, uint32_t number, struct isp_reader *told);

#endif
