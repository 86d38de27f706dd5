/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run: a world at a prefix, a decision at each choice point, and a judgement at its end. What
 * decides is the caller's: the search, a list of choices, or the decisions of another run.
 */
#ifndef SCHED_RUN_H
#define SCHED_RUN_H

#include "world/decisions.h"
#include "classes.h"
#include "loops.h"
#include "merge.h"
#include "poe/search.h"
#include "world/replay_check.h"
#include "recorded_calls.h"
#include "result.h"
#include "checkpoint/run_state.h"
#include "checkpoint/world_source.h"

struct sched_engine {
    const struct sched_options *options;
    struct sched_result *result;
    struct sched_signatures *signatures;
    struct sched_world_source *source;
    bool interrupted;
    double started_s;               /* --max-time counts from here */
    bool hangs;                     /* the program does, for certain */
    bool untrue;                    /* a run that went on from a checkpoint hung, and did not when it was
                                       launched */
    struct sched_located *located;  /* see locate.c */
    struct sched_findings *doubted; /* deadlocks that no run confirmed (mixed.c); or NULL */
    uint64_t n_runs;
    struct sched_forced *forced;     /* ranks go ahead (world/ahead.h); NULL: they wait */
    char *not_ahead;                 /* why they do no more; or NULL */
    bool unsure;                     /* ranks that go ahead, or have, do something else than before */
    uint64_t n_waited;               /* runs of --decentralized that were made with ranks that wait */
    uint64_t n_calls, record_bytes;  /* of all runs: see world.h */
    bool careful;                    /* ... and in the others MPI does not buffer */
    const struct sched_world *world; /* of the present run, while it is made; else NULL */
};

/* Who decides. Exactly one of search, guide, calls and forced is used, in this order. */
struct sched_decider {
    struct poe_search *search;
    struct sched_loops *loops;     /* beside search */
    struct sched_merge *merge;     /* likewise; or NULL */
    struct sched_classes *classes; /* likewise */
    const struct sched_decisions *guide;
    bool patient;                       /* see sched_decisions_find */
    struct sched_recorded_calls *calls; /* leads along their prediction */
    const unsigned *forced;             /* then the first alternatives */
    unsigned n_forced;
    bool quiet; /* nothing is said about choices that do not fit */
    bool ahead; /* where nothing is forced: ranks may go ahead, if no run has come to a choice */
};

/* Makes a world and runs it to its end; its processes are gone then, but world and poe are still there. */
void sched_run_start(struct sched_engine *engine, struct sched_run_state *state,
                     const struct sched_decider *decider, struct sched_replay_check *check, bool buffered,
                     enum sched_output output, bool take_notes);
void sched_run_finish(struct sched_engine *engine, struct sched_run_state *state);

#endif
