/* SPDX-License-Identifier: BSD-3-Clause */
/* What isp knows of a rank that goes ahead, beside what it knows of any: see ahead.h. */
#ifndef SCHED_AHEAD_RANK_H
#define SCHED_AHEAD_RANK_H

#include "isp/wire.h"

struct sched_outcome;

/* A nonblocking call that makes a communicator. */
struct sched_ahead_maker {
    uint32_t handle; /* poe's */
    int32_t comm;    /* the rank's number of it */
};

struct sched_ahead_rank {
    struct isp_buf later; /* frames that were not taken yet, as they came */
    size_t later_at;
    bool dies;                      /* it has told so; as one that ends, it tells no outcome any more */
    bool ends;                      /* ... and behind them the end of its connection */
    bool asks;                      /* its last fence waits for an answer */
    bool polls;                     /* it is a poll */
    bool stuck;                     /* it has said so */
    struct sched_outcome *outcomes; /* that were told, and not decided yet */
    uint32_t *handles;              /* the rank's -> poe's */
    uint32_t n_handles, next_handle;
    int32_t *comms; /* the rank's number - ISP_COMMS_AHEAD -> poe's */
    uint32_t n_comms, n_made;
    int32_t making; /* the rank's number of what its last fence makes, or ISP_NO_COMM */
    struct sched_ahead_maker *makers;
    uint32_t n_makers;
};

#endif
