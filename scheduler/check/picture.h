/* SPDX-License-Identifier: BSD-3-Clause */
/* What each rank waits for when nothing moves. It is taken once from poe, whose answers last only until the
 * next question. */
#ifndef SCHED_CHECK_PICTURE_H
#define SCHED_CHECK_PICTURE_H

#include "check.h"

enum { SCHED_SHOWN_PENDING = 3 };

/* poe_wait of one rank, or of a further thread of it, kept. */
struct sched_seat {
    int rank;
    int thread;           /* -1: the rank has only one */
    struct poe_wait wait; /* with ranks of its own; its pending is NULL: */
    int *ranks;
    const struct poe_transition *pending[SCHED_SHOWN_PENDING];
    unsigned n_pending; /* of these */
};

struct sched_picture {
    struct sched_run *run;
    bool livelock;
    struct sched_seat *seats; /* by rank; behind them those of further threads that wait */
    int n, n_seats;
    int *cycle;
    unsigned n_cycle;
    /* The cycle's first, or a rank that waits for ranks that have finished; of unsafe buffering, one that a
     * send blocks. NULL: none. */
    const struct sched_seat *heart;
    const struct poe_transition *
        *blocked; /* the sends, receives and probes that hold ranks: the heart's first */
    size_t n_blocked;
};

void sched_picture_init(struct sched_picture *picture, struct sched_run *run, bool livelock, bool unsafe);
void sched_picture_finish(struct sched_picture *picture);

bool sched_seat_is_stuck(const struct sched_seat *seat);
bool sched_waits_only_for_finished(const struct sched_picture *picture, const struct sched_seat *seat);
bool sched_is_message(const struct isp_call *call);

#endif
