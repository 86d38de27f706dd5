/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checkpoints of one world: choice points to which it can go back, the newest on top. A checkpoint costs
 * nothing in the ranks when it is made: a rank that waits is its own checkpoint, and is forked when it is
 * sent its first go-ahead after one (profiler/process/checkpoint.h). What isp has to keep is what it knows
 * itself (world_state.h) and MPI's shared memory (segments.h).
 *
 * What a rank does from one such go-ahead on is a level; the levels form a line. A level is a process that
 * was forked, or a process that has noted where it was (profiler/rewind/rewind.h): here they are the same.
 * Each is noted with the newest checkpoint at its beginning, so going back to a checkpoint means that those
 * which began at it or later end.
 */
#ifndef SCHED_CHECKPOINTS_H
#define SCHED_CHECKPOINTS_H

#include "run_state.h"
#include "world/keeper.h"

struct sched_checkpoints;

enum sched_checkpoints_use {
    SCHED_CHECKPOINTS_LAST,  /* if there are too many, the last ones stay */
    SCHED_CHECKPOINTS_FIRST, /* ... the first ones */
    SCHED_CHECKPOINTS_DEBUG, /* likewise; and each level is a process (ISP_FORK_ONLY) */
};

/* At most `max` at a time. */
struct sched_checkpoints *sched_checkpoints_create(int ranks, size_t max, enum sched_checkpoints_use use);
void sched_checkpoints_destroy(struct sched_checkpoints *checkpoints);

/* The run is at a choice point, whose number this is, and will be needed here again. Nothing, if there is a
 * checkpoint here, or if the world cannot have any. If too many are there one is dropped. May end the run, if
 * a rank dies meanwhile. */
void sched_checkpoints_make(struct sched_run_state *run, unsigned number);
/* Each rank stays where it is, at the newest checkpoint, and a process that it forks waits in its place: from
 * now on somebody may stop that one, or kill it. False: a rank cannot do so, or the run has ended. */
bool sched_checkpoints_stay(struct sched_world *world);
/* Nobody will come back to this one. What came after it stays. */
void sched_checkpoints_drop(struct sched_world *world, unsigned number);
/* Nobody will come back to the one at this choice point, if there is one. */
void sched_checkpoints_close(struct sched_world *world, unsigned number);
/* It may have some: it was not launched for this run alone. */
bool sched_checkpoints_are_wanted(const struct sched_world *world);
/* How many there are. */
size_t sched_checkpoints_count(const struct sched_world *world);
/* Why the world can have none; NULL: nothing is known that keeps it from it. */
const char *sched_checkpoints_refused(const struct sched_world *world);

/* The run has ended. True: its ranks are at rest, so that the world can go back to a checkpoint. */
bool sched_checkpoints_rest(struct sched_world *world);
/* The number of the newest checkpoint at or before choice point `number`; -1: there is none. */
int sched_checkpoints_find(const struct sched_world *world, unsigned number);
/* Takes the world, and what run->world's poe knows, back to the checkpoint at this choice point; later ones
 * are gone. False: it cannot be done, and the world is of no use any more. */
bool sched_checkpoints_rewind(struct sched_run_state *run, unsigned number);

/* A checkpoint waits for what the rank does for MPI while it waits itself. */
bool sched_checkpoints_acts(const struct sched_world *world, int rank);
/* The process that now is the rank, on this host. */
pid_t sched_checkpoints_process(const struct sched_world *world, int rank);

/* Some rank goes on in a process that its launcher does not know. */
bool sched_checkpoints_forked(const struct sched_world *world);

/* For sched_world_create. */
extern const struct sched_keeper sched_checkpoints_keeper;

#endif
