/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What isp itself knows of a run that is at a choice point: poe's state, what was seen of the ranks, and what
 * they told. Not what grows only (sites, types, signatures): a rank tells those anew.
 */
#ifndef SCHED_WORLD_STATE_H
#define SCHED_WORLD_STATE_H

#include "run_state.h"

struct sched_world_state;

/* The world is quiet, and has no windows or several threads. */
struct sched_world_state *sched_world_save(const struct sched_run_state *run);
/* The run goes on from there; of what `run` holds only its world is looked at, the rest is overwritten. Its
 * poe is the world's. */
void sched_world_restore(struct sched_run_state *run, const struct sched_world_state *state);
/* The processes are there: they tell anew which types they have. */
void sched_world_forget_types(struct sched_world *world, const struct sched_world_state *state);
void sched_world_state_destroy(struct sched_world_state *state);

#endif
