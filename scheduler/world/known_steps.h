/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of steps.h: what ranks have done, by where they were then and by what they were sent. */
#ifndef SCHED_WORLD_KNOWN_STEPS_H
#define SCHED_WORLD_KNOWN_STEPS_H

#include <uthash.h>

#include "inside.h"

/* What a rank has done from a fence on, up to the next one; without a release it waits in the same one. */
struct sched_step {
    struct sched_point point;
    struct isp_buf records;
    struct sched_deed *nobodies; /* calls with MPI_PROC_NULL */
    size_t n_nobodies;
    bool made;  /* all of it is known */
    bool bare;  /* ... and it is all that it said: it told its calls, and nothing else */
    bool known; /* the state in which it ends: */
    uint64_t low, high;
    UT_hash_handle hh;
};

struct sched_known_steps {
    struct sched_step *all;
    size_t bytes, looked_at;
    bool full;
};

void sched_known_steps_finish(struct sched_known_steps *steps);
/* NULL: there is none. */
struct sched_step *sched_known_steps_find(const struct sched_known_steps *steps, struct sched_point point);
/* Makes it if there is none. NULL: nor is there room. */
struct sched_step *sched_known_steps_get(struct sched_known_steps *steps, struct sched_point point);

extern const struct sched_point SCHED_NOWHERE, SCHED_NO_DATA;
static inline bool sched_point_is_known(struct sched_point p) { return p.low || p.high; }
/* In a state; numbers of states are those of one rank. */
struct sched_point sched_point_of_state(int rank, uint64_t low, uint64_t high);
/* From where the rank is, with the data that it gets, by what it is sent. */
struct sched_point sched_point_next(int rank, const struct sched_rank *r, const struct isp_buf *body);
/* `known`: of what is added; what is not known stays so. */
void sched_point_add(struct sched_point *to, struct sched_point of, bool known);

#endif
