/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a stand can go back to without a launch: checkpoints (checkpoint/checkpoints.h) at states in which
 * all ranks hold or wait. They are made at widening distances of the time that the ranks have run, so that a
 * run of any length has few, and going back to between two of them costs a bounded share of it. Programs that
 * cannot have checkpoints have none; then each way back is a launch.
 */
#ifndef SCHED_DEBUG_MARKS_H
#define SCHED_DEBUG_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sched_run_state;
struct sched_world;

enum { SCHED_MARKS_MOST = 24 };

struct sched_marks {
    int ranks;
    struct sched_mark {
        unsigned number;
        double run_s; /* what the ranks had run by then */
        unsigned levels;
        uint64_t *at;      /* by rank: the event that it held at, or was to make after the one it waited in;
                         ISP_HOLD_IN_INIT: it was in MPI_Init */
        uint64_t *printed; /* sched_launch_catch_up() */
    } all[SCHED_MARKS_MOST];
    unsigned n, last; /* the number of the last one */
    unsigned levels;  /* processes of a rank, without the first */
    double run_s;     /* what the ranks have run, up to the present */
    double from_s;    /* ... when they were launched, or have gone back */
};

void sched_marks_init(struct sched_marks *marks, int ranks);
void sched_marks_finish(struct sched_marks *marks);

/* The ranks have run for this long. */
void sched_marks_run(struct sched_marks *marks, double seconds);
/* They have run long enough, if they run for these seconds more. At rest already: nobody has to wait. */
bool sched_marks_is_due(const struct sched_marks *marks, double seconds, bool at_rest);
/* The world has settled, and gdb has let go of its ranks: one can go back to here. Nothing, if that is not to
 * be had. */
void sched_marks_make(struct sched_marks *marks, struct sched_run_state *state);
/* Why the world has no marks, or none that it could go back to; NULL: nothing is known of that. */
const char *sched_marks_refused(const struct sched_world *world);
/* Goes back to the last mark at which no rank had done more than this. False: there is none, or it cannot be
 * done: then the world is of no use any more. */
bool sched_marks_go_back(struct sched_marks *marks, struct sched_run_state *state, const uint64_t *limits);

#endif
