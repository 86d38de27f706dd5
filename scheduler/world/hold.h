/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that hold, for who debugs a run: each has a limit, the event that it does not make yet (an index of
 * its transitions, as in poe). A rank that holds counts as waiting, so the others go on as far as they can
 * without it; it does its part of what has matched. When nothing moves any more, the world has settled: it is
 * in the state that belongs to the limits, and stays there until one of them is raised.
 */
#ifndef SCHED_HOLD_H
#define SCHED_HOLD_H

#include <sys/types.h>

#include "isp/visits.h"
#include "world.h"

/* From now on, or from the start if the rank is not there yet. A rank that is beyond it holds at its next
 * event. */
void sched_hold_at(struct sched_world *world, int rank, uint64_t limit);

/* A rank that holds counts visits of a place when it goes on, and may stop there (isp/visits.h). */
void sched_hold_count(struct sched_world *world, int rank, const struct isp_visits *visits);

/* Somebody else has stopped the rank's process, outside of MPI: nobody waits for it until it goes on. */
void sched_hold_park(struct sched_world *world, int rank, bool parked);

/* sched_world_advance returns when *wanted becomes true. It is borrowed. */
void sched_hold_attend(struct sched_world *world, const bool *wanted);

enum sched_visited {
    SCHED_VISITED_NOT,    /* nothing was asked, or it has not come to an end */
    SCHED_VISITED_STOPS,  /* the rank is parked there, in the program's own code */
    SCHED_VISITED_ENDS,   /* it has come to its next event before */
    SCHED_VISITED_CANNOT, /* it cannot count */
};

/* A rank with one thread, as far as it has got. */
struct sched_held_view {
    bool held;    /* at event `at`, before it has made it */
    bool in_init; /* ... or in MPI_Init */
    uint64_t at;
    bool in_call; /* it waits in the event before `at` */
    bool parked;
    bool stopped; /* it has died, or waits for leave to die */
    enum sched_visited visited;
    uint32_t place; /* the last one that counted; ISP_VISIT_NONE: none */
    uint64_t visits;
    const uint32_t *unlike; /* words that were never as they should be */
    size_t n_unlike;
};

struct sched_held_view sched_hold_view(const struct sched_world *world, int rank);

/* The process that now is the rank. 0: it is on another host, or gone. */
pid_t sched_hold_process(const struct sched_world *world, int rank);

/* ---- for world/ ---- */

struct sched_rank;

/* Somebody debugs this world. */
bool sched_hold_is_used(const struct sched_world *world);
/* Some rank holds, or is parked. */
bool sched_hold_any(const struct sched_world *world);
/* Nothing can move: whether all that was sent is done as well. */
bool sched_hold_is_settled(const struct sched_world *world);
/* A HELD message, a VISITED message. */
void sched_hold_take(struct sched_world *world, int rank, struct isp_reader *in);
void sched_hold_take_visited(struct sched_world *world, int rank, struct isp_reader *in);

#endif
