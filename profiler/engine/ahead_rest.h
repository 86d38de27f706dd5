/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a rank that goes ahead waits: it asks MPI, and rests in between. So what has been recorded is on its
 * way before it sleeps, and what completes meanwhile is told.
 */
#ifndef PROF_AHEAD_REST_H
#define PROF_AHEAD_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "operations.h"

/* Rounds without success, then the rank sleeps in between, isp is woken, and wildcards are looked at. */
enum { PROF_AHEAD_SLEEP_IDLE = 100 };

/* One wait; begins as {0}, but for the first two. */
struct prof_ahead_rest {
    bool many;       /* it takes messages of several ranks: a bell is seldom that of the last one */
    int64_t most_ns; /* it sleeps no longer until another rank rings; 0: as long as it likes */
    bool begun;
    unsigned idle;        /* rounds in a row without any progress */
    unsigned long events; /* of progress, at the last one */
    int64_t since_ns;
    bool told;
    bool slept;
    bool dozes; /* it is about to sleep until another rank rings */
};

/* After each question that MPI has answered with no. */
void prof_ahead_rest(struct prof_ahead_rest *rest);
/* It has what it has waited for. */
void prof_ahead_rested(const struct prof_ahead_rest *rest);
/* ... until the operation is complete for the program. */
void prof_ahead_await(struct prof_op *op);

#endif
