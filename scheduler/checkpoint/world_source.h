/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where live worlds come from. The exploration asks for one at a prefix of decisions; how it gets there is
 * the source's business:
 *
 *   replay      launches the program again: the world is at its start, and makes the decisions of
 *               the prefix once more
 *   checkpoint  goes back to where the prefix ends, in a world that is still there (checkpoint/checkpoints.h)
 *
 * The result is the same.
 */
#ifndef SCHED_WORLD_SOURCE_H
#define SCHED_WORLD_SOURCE_H

#include "world/world.h"

struct sched_run_state;
struct poe_search;

struct sched_world_request {
    struct sched_run_state *state;    /* its run is without poe */
    const struct poe_search *search;  /* who decides; NULL: somebody else */
    struct sched_replay_check *check; /* or NULL */
    bool buffered;
    enum sched_output output;
    unsigned prefix; /* decisions that are given */
    const bool *interrupted;
    bool plain;     /* without checkpoints */
    unsigned marks; /* without a search: how many checkpoints its caller may make (sched_checkpoints_make) */
};

struct sched_world_source;

/* checkpoints: how many a world may have at a time; 0: each run is launched. */
struct sched_world_source *sched_source_create(struct event_base *base, unsigned checkpoints);
void sched_source_destroy(struct sched_world_source *source);

/* A world at its start, or at a choice point of the prefix; then request->state has all that the run has come
 * to. */
struct sched_world *sched_source_open(struct sched_world_source *source,
                                      const struct sched_world_request *request);
/* The run is over: its processes end, unless a later run will go on from a checkpoint of it. */
void sched_source_rest(struct sched_world_source *source, struct sched_world *world);
/* The caller is done with the run. What it holds is freed, or kept for a later one. */
void sched_source_close(struct sched_world_source *source, struct sched_run_state *state);
/* The run could not be made like this (SCHED_END_NOT_FORKED), or is not to be believed: it is undone, to be
 * begun again. */
void sched_source_again(struct sched_world_source *source, struct sched_run_state *state);
/* The search is over: no later run goes on from a run of it. */
void sched_source_forget(struct sched_world_source *source);
/* Runs that were launched, and runs that went on from a checkpoint. */
uint64_t sched_source_launched(const struct sched_world_source *source);
uint64_t sched_source_resumed(const struct sched_world_source *source);
/* Of worlds that are over. */
struct sched_steps_count sched_source_steps(const struct sched_world_source *source);
/* Why there can be no checkpoints; NULL: nothing is known that keeps them from being made. */
const char *sched_source_why(const struct sched_world_source *source);

#endif
