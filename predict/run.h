/* SPDX-License-Identifier: BSD-3-Clause */
/* What was told of a run, and what is derived from that before anything is asked. Private to predict/. */
#ifndef PREDICT_RUN_H
#define PREDICT_RUN_H

#include "memory.h"
#include "predict.h"

enum { PREDICT_NOBODY = -1 };

/*
 * What has an order is a node: of a fence that its rank leaves it, of a receive or probe that it gets its
 * message. `node` is the fence's, `got` the receive's; one that is both has two. An event is issued when the
 * fence before it is left.
 */
struct predict_event {
    struct predict_call call; /* without its lists */
    int32_t index;            /* of its rank */
    int32_t first_named, first_source;
    int32_t fence; /* the fence before it in its rank, or NOBODY */
    int32_t node, got;
    int32_t passed, taken,
        received;         /* literals: the fence is left; of a send: its message is no longer in the
                                        queue, it was received; of a receive or probe (taken): it got one */
    int32_t first_pair;   /* of a send, or of a receive or probe */
    int32_t class, place; /* of a send: those with its envelope; which of them it is */
    int32_t mrecv;        /* of a matched probe: who receives its message */
    int32_t collection;   /* of a collective */
    int32_t first_use;    /* of a COMPLETE: its literals in `uses` */
};

/* A send and a receive or probe that may match. */
struct predict_pair {
    int32_t send, receive;
    int32_t of_send, of_receive; /* the next pair, or NOBODY */
    int32_t literal;             /* they match; FALSE: they cannot */
    int32_t shields[4]; /* receives before it that would take the message: the last of each envelope */
    int32_t first_before, n_before; /* messages before it that it would take, in `befores` */
};

/* What a fence completes: its i-th request, if no fence before has. */
struct predict_use {
    int32_t operation;
    int32_t active, used; /* literals */
};

/* The calls of one collective, in the order of its communicator; NOBODY of who has not called it. */
struct predict_collection {
    struct predict_list members;
};

struct predict_comm {
    int32_t number;
    struct predict_list members;
};

struct predict {
    int32_t n_ranks;
    bool buffered;
    const char *why;
    struct predict_event *events;
    int32_t n_events, events_room;
    struct predict_list *ranks; /* their events */
    struct predict_list named, sources;
    struct predict_list preferred; /* a receive, a send ... */
    struct predict_list held;      /* literals that the next solution must have */
    struct predict_comm *comms;
    int32_t n_comms, comms_room;
    struct predict_collection *collections;
    int32_t n_collections, collections_room;
    struct predict_pair *pairs;
    int32_t n_pairs, pairs_room;
    struct predict_list befores;
    struct predict_use *uses;
    int32_t n_uses, uses_room;
    int32_t n_nodes;
    int32_t choices;
    bool finished; /* all is told */
    struct predict_solver *solver;
    struct predict_order *order;
    bool told;     /* the solver knows all of it */
    int32_t tries; /* to come nearer to the run */
    struct predict_cost cost;
    int32_t *matched; /* by receive or probe: the pair that holds in the present solution, or NOBODY */
    /* the last deadlock */
    int32_t *taken;  /* by receive or probe: the send, or NOBODY */
    int32_t *waits;  /* by rank */
    bool *completes; /* by use */
};

static inline struct predict_event *predict_event(const struct predict *p, int32_t number)
{
    return &p->events[number];
}

static inline bool predict_is(const struct predict_event *e, uint32_t flag) { return e->call.flags & flag; }

static inline bool predict_is_fence(const struct predict_event *e)
{
    return predict_is(e, ISP_F_FENCE) && e->call.op != ISP_OP_FINALIZE;
}

/* A receive, or a probe that takes its message out. */
static inline bool predict_takes(const struct predict_event *e)
{
    return e->call.op == ISP_OP_RECV ? e->call.mode != ISP_RECV_MESSAGE
                                     : e->call.op == ISP_OP_PROBE && predict_is(e, ISP_F_MATCHED);
}

static inline bool predict_is_send(const struct predict_event *e)
{
    return e->call.op == ISP_OP_SEND && e->call.peer != ISP_NO_RANK;
}

/* It has a message of its own to get. */
static inline bool predict_gets(const struct predict_event *e)
{
    return (predict_takes(e) || e->call.op == ISP_OP_PROBE) && e->call.peer != ISP_NO_RANK;
}

/* The i-th event that it names, or NOBODY. */
static inline int32_t predict_named(const struct predict *p, const struct predict_event *e, uint32_t i)
{
    return p->named.all[e->first_named + (int32_t)i];
}

/* The send's message may be kept, so that nobody waits for its receive. */
bool predict_is_kept(const struct predict *p, const struct predict_event *send);

/* The events that must be called before the collective can complete for this one's rank (NOBODY: one that is
 * never called); added to the list. */
void predict_needed(const struct predict *p, const struct predict_event *e, struct predict_list *list);

/* Groups collectives, connects matched probes, numbers nodes. */
void predict_run_finish(struct predict *p);

#endif
