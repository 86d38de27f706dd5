/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits: what a rank does, in one go, with memory that other ranks use too: an epoch under a lock of a
 * window (ISP_OP_LOCK up to its UNLOCK), one atomic access (ISP_LOCK_ATOMIC), one turn with a file
 * (ISP_LOCK_TURN). A visit begins with a grant, when all ranks wait and nothing is ready, so that who comes
 * first does not depend on time; and each grant is a decision.
 *
 * Two visits of different ranks are *dependent* if the one may keep the other waiting, or they may use the
 * same memory; they *conflict* if what they then really did does not commute, or if one waited for something
 * else while it kept the other one out. A decision has one alternative, the grant, and *later*: put off until
 * a dependent visit has come first. *Later* is needed where a visit below the decision conflicts with this
 * one and does not happen after it; what a visit really does is known at its end. A visit that was put off
 * and then conflicts with nothing that came in between is one that another branch shows: the run is
 * redundant.
 *
 * Polling by visits: one that did nothing but read what nobody has changed since waits, as polls do (poll.h).
 */
#ifndef POE_VISIT_H
#define POE_VISIT_H

#include "state.h"

/* What makes polls the same: one line of the program, whoever calls it. */
static inline uint32_t poe_call_place(const struct isp_call *call)
{
    return call->place ? call->place : call->site;
}

/* A piece of memory or of a file. */
struct poe_piece {
    int32_t target;
    uint8_t use; /* enum poe_use */
    uint32_t op, type;
    uint64_t at, end;
};

struct poe_visit {
    int rank, comm, peer;
    uint16_t thread;
    uint8_t mode;   /* enum isp_lock_mode */
    bool open;      /* not at its end */
    bool waited;    /* in a fence, while it kept others out */
    bool unchanged; /* it has changed nothing, so it is a read */
    bool put_off;
    bool foreseen; /* what it reads, if it looks at the same again */
    uint32_t site;
    uint32_t decision;     /* of its thread; 0: forced */
    uint64_t number;       /* in order of the grants, from 1 */
    uint64_t since, woken; /* as of its operation */
    struct poe_clock *posted, *done;
    struct poe_pieces pieces;
};

/* What a thread read when it came by a call site last. */
struct poe_look {
    uint32_t site, in_a_row;
    uint64_t changed; /* the visit that has changed it since then; 0: none */
    struct poe_pieces pieces;
};

/* Before poe has the record: what the thread's last visit was is over, what it has told belongs to this
 * one. */
void poe_visit_record(struct poe *poe, int rank, const struct isp_call *call);
/* After: the LOCK is wanted; any other fence is waited in. */
void poe_visit_wanted(struct poe *poe, struct poe_op *op);
void poe_visit_waits(struct poe *poe, const struct poe_op *fence);
/* The lock is given back: the epoch is over. */
void poe_visit_unlock(struct poe *poe, int rank, const struct isp_call *unlock);

/* Nothing else can move (`more`: but for those that were granted one of several locks that can be held
 * together just now): the next one that is to be granted, in poe->choice. */
bool poe_visit_choice(struct poe *poe, bool more);
/* Not so often in a row that nobody else comes to be decided. */
bool poe_visit_comes_first(const struct poe *poe);
void poe_visit_decide(struct poe *poe, struct poe_op *op, bool grant);
/* One that only waits since it polls, or NULL: that of the rank that was granted something longest ago. */
struct poe_op *poe_visit_polling(struct poe *poe);
void poe_visit_force(struct poe *poe, struct poe_op *op);
/* It would only read once more what nobody has changed. */
bool poe_visit_polls(const struct poe *poe, const struct poe_op *fence);
/* It was put off, and nothing has come first. */
bool poe_visit_is_put_off(const struct poe_op *op);
/* LOCKs of two ranks: whether the one may keep the other out, or they may use the same memory. */
bool poe_visits_may_meet(const struct isp_call *a, const struct isp_call *b);

#endif
