/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that step and run. A step of a set of ranks is complete when each of them has done its own, or cannot
 * without somebody else's further action: a *trivial parallel reason* (Kalinov, Karganov and Khorenko's
 * parallel step command). Such a rank waits in a call; nobody waits for it, and it finishes its step by
 * itself as soon as another rank's step releases it. Calls of MPI are atomic: no rank is ever left inside of
 * one that could return.
 *
 * Ranks that are not in the set go on only as far as those of the set need them: where one waits for a
 * message, its sender runs up to that send, and so on (Hong and Kim's causal distributed breakpoint; cuts/).
 * With `others_run` they go as far as they can. Those that the user holds do not move.
 */
#ifndef SCHED_DEBUG_MOTION_H
#define SCHED_DEBUG_MOTION_H

#include "gdb/gdb.h"
#include "session.h"

enum sched_motion_end {
    SCHED_MOTION_DONE,       /* each rank of the set has come to the end of its move, or waits */
    SCHED_MOTION_STOPPED,    /* some rank has come to a breakpoint or the like before */
    SCHED_MOTION_BROKEN_OFF, /* SIGINT */
    SCHED_MOTION_FAILED,     /* session->why */
};

/* Of one rank: it does not make its event `most`, or a later one: it ends there. */
struct sched_motion_cap {
    uint64_t most; /* UINT64_MAX: none */
    bool reached;  /* but for that it would have gone on */
};
/* None for any rank; caller frees. */
struct sched_motion_cap *sched_motion_caps(const struct sched_session *session);

struct sched_motion {
    const bool *set; /* the ranks that move */
    enum sched_gdb_move move;
    const char *place;             /* of SCHED_GDB_UNTIL, or NULL */
    struct sched_motion_cap *caps; /* of all ranks, also those that others need; or NULL */
};

/* Moves that have begun before and wait go on with it. */
enum sched_motion_end sched_motion_make(struct sched_session *session, const struct sched_motion *motion);

/* What a rank does, for who looks at it. */
enum sched_standing {
    SCHED_STANDS,  /* it can step */
    SCHED_WAITS,   /* in a call, for others: a step of it would end there */
    SCHED_IS_OVER, /* it has left, or died */
};
enum sched_standing sched_motion_standing(const struct sched_session *session, int rank);

#endif
