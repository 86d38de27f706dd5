/* SPDX-License-Identifier: BSD-3-Clause */
/* A run while it is made, and until it is judged: its world, and what was decided in it. */
#ifndef SCHED_RUN_STATE_H
#define SCHED_RUN_STATE_H

#include "run/run.h"
#include "world/decisions.h"
#include "world/replay_check.h"
#include "world/world.h"

struct sched_run_state {
    struct sched_run run;
    struct sched_world *world;
    struct sched_decisions *decisions; /* those that were made; NULL if nobody wants them */
    struct sched_replay_check *check;  /* compares it with the run before, or NULL */
    unsigned *choices, made;           /* which alternatives were taken, and how many */
    unsigned new_choice_points;        /* beyond the prefix, with several alternatives */
    bool continued; /* some rank has gone on from a checkpoint in another process, or went back in place */
};

#endif
