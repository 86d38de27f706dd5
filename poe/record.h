/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run was, for whoever wants to play it again otherwise (mixed.h): the calls of each rank, in program
 * order, and what was decided. It is kept only if poe_config asks for it, and is part of the state
 * (poe_save).
 */
#ifndef POE_RECORD_H
#define POE_RECORD_H

#include "state.h"

/* Calls of all ranks; a longer run is not kept. */
enum { POE_RECORD_MOST = 1 << 18 };

/* A call, by its place among those of its rank. */
struct poe_recorded_at {
    int rank; /* -1: none */
    uint32_t at;
};

/* What a COMPLETE, JOIN or RECV_MESSAGE names: a call of its rank. */
struct poe_recorded_named {
    uint32_t at;
    bool taken; /* COMPLETE: it said that this one is complete */
};

/* A collective: its members' calls, by place in the communicator; rank -1: not there yet. */
struct poe_recorded_meeting {
    int n;
    struct poe_recorded_at all[];
};

struct poe_recorded {
    struct isp_call call; /* with a list of its own */
    uint64_t index;       /* as in poe_transition; of READY, which has none, that of the next one */
    uint32_t decision;    /* number in `decisions`, from 1; 0: it was not decided, or not yet */
    uint32_t grant;       /* number in `grants`, from 1; 0: no LOCK, or not granted */
    bool said_no;         /* a poll: the answer was `not yet` */
    /* With config.merge: */
    struct poe_recorded_at with;        /* SEND: its receive; RECV, PROBE: its message */
    struct poe_recorded_meeting *meets; /* COLLECTIVE; or NULL */
    struct poe_recorded_named *names;   /* as many as the call has; or NULL */
    bool zero;                          /* RECV, PROBE: matched with nothing kept (ahead.h) */
};

struct poe_recorded_rank {
    struct poe_recorded *calls;
    uint32_t n, room;
    /* With nothing kept (ahead.h): */
    uint32_t made;  /* calls */
    uint32_t *open; /* ... and those of them that are receives or probes, and not matched; in order */
    uint32_t n_open, open_room;
};

struct poe_recorded_decision {
    int rank;
    uint32_t at;                  /* place among its rank's calls */
    struct poe_alternative taken; /* positions of its own */
};

/* A LOCK that was granted. */
struct poe_recorded_grant {
    int rank;
    uint32_t at; /* place among its rank's calls */
};

struct poe_record {
    struct poe_recorded_rank *ranks;
    struct poe_recorded_decision *decisions;
    uint32_t n_decisions, decisions_room;
    struct poe_recorded_grant *grants; /* in their order */
    uint32_t n_grants, grants_room;
    uint32_t n_calls;
    uint32_t last_site; /* of the last decision */
    bool too_long;      /* to be kept: the calls are forgotten */
    bool visits;        /* a LOCK was granted */
    bool threads;       /* some rank has several: what of them came first is not known, nor which decision was
                           where */
};

void poe_record_init(struct poe *poe);
/* Each does nothing if the run is not recorded. */
void poe_record_call(struct poe *poe, int rank, const struct isp_call *call, uint64_t index);
void poe_record_decision(struct poe *poe, const struct poe_op *op, const struct poe_alternative *taken);
void poe_record_grant(struct poe *poe, const struct poe_op *lock);
void poe_record_no(struct poe *poe, const struct poe_op *poll);
/* With config.merge: what calls have to do with each other. */
void poe_record_pair(struct poe *poe, const struct poe_op *send, const struct poe_op *receive);
void poe_record_found(struct poe *poe, const struct poe_op *send, const struct poe_op *probe);
void poe_record_meets(struct poe *poe, const struct poe_op *member);
void poe_record_yes(struct poe *poe, const struct poe_op *complete);

/* The place of a transition among its rank's calls; n of the rank, if it is not there. */
uint32_t poe_record_place(const struct poe_record *record, int rank, uint64_t index);

#endif
