/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of one run: ranks, their live operations, and what is ready to fire.
 * Private to poe/.
 *
 * All of it is in poe->arena, so that it can be saved: what is here points to nothing in the heap. What ends with the call
 * that needs it is in the heap (memory.h).
 *
 * An operation lives from poe_add until it is done (matched, or cancelled) and
 * consumed (nothing can refer to it any more); so memory grows with what is live, not
 * with the length of the run. Ended operations stay in `grave` until the next
 * call, because the caller may still look at them, and their memory is used again.
 *
 * Matching is decided when a transition comes in (the *ready* queue), firing happens
 * one match set per poe_step.
 */
#ifndef POE_STATE_H
#define POE_STATE_H

#include "arena.h"
#include "memory.h"
#include "poe/poe.h"

/* A thread that has not decided anything (or not posted any receive) has no place in a clock. */
#define POE_NO_COMPONENT UINT32_MAX

struct poe_clock;
struct poe_watch;
struct poe_comm;
struct poe_inbox;
struct poe_instance;
struct poe_lock;

/* How a fence that is decided or complete is answered. */
enum poe_answer { POE_ANSWER_YES, POE_ANSWER_NOT_YET };

struct poe_op {
    struct poe_transition t; /* first: a poe_transition is a poe_op */
    struct poe_op *live_prev, *live_next; /* its rank's live operations, program order */
    struct poe_op *prev, *next;           /* its channel, or its inbox's receives */
    struct poe_op *wild_prev, *wild_next; /* its rank's pending wildcard receives */
    struct poe_op *waited_by;             /* the COMPLETE that its rank is in and that names it; the last one, if several ask ... */
    struct poe_op *asks_too;              /* COMPLETE: ... and the one before it (poe_fence_complete_is_valid) */
    struct poe_op *message;               /* matched probe: the send that it took out */
    struct poe_instance *instance;        /* COLLECTIVE: what it is part of, until that is over */
    struct poe_op *join;                  /* the JOIN that names it, until it is complete */
    struct poe_op **waits;                /* COMPLETE: its operations, as call.list */
    uint32_t *list;                       /* storage of call.list */
    uint32_t *taken;                      /* COMPLETE: the positions that complete */
    uint32_t list_room, n_taken;
    uint32_t missing;                     /* COMPLETE, JOIN: operations that are not complete */
    uint32_t number;                      /* RECV: among its thread's receives, from 1 */
    uint32_t decision;                    /* number among its thread's decisions, from 1; 0: none */
    int new_comm;                         /* COLLECTIVE: number of the communicator that it made for its rank */
    enum poe_answer answer;
    bool named;     /* a COMPLETE that is looked at names it */
    bool queued;    /* in its channel or inbox: unmatched and not taken out */
    bool local;     /* JOIN: of nothing but operations with MPI_PROC_NULL */
    bool standard;  /* JOIN: one of them is a send that buffering would complete */
    bool entered;   /* COLLECTIVE that flows: its call has fired */
    bool ready;     /* it is in the ready queue */
    bool exhausted; /* a poll that has said `not yet` often enough: it waits */
    bool seen;      /* a send that a probe has found, and that no receive since then accepts */
    bool told;      /* MPI_Request_get_status said that it is complete */
    bool put_off;   /* *later* was chosen for it at least once */
    bool slept_no;  /* ... when `not yet` (or `cancelled`) was an alternative */
    uint64_t *slept; /* bits: sources (world ranks), or positions, that *later* excludes */
    struct poe_clock *posted; /* what its thread knew when it was issued */
    struct poe_clock *done;   /* what is known where it completes */
    struct poe_watch *watches;
};

struct poe_poll_count {
    uint32_t site, in_a_row;
};

/* One program order. A rank has one, or, from MPI_THREAD_SERIALIZED on, one for each of its threads. */
struct poe_thread {
    uint64_t next_index;
    struct poe_op *fence;  /* where it waits; NULL: it runs, or is idle outside MPI */
    struct poe_clock *now;
    uint32_t component;    /* its place in a clock */
    uint32_t receives_component; /* ... for the receives that it has posted (ready_send.h) */
    uint32_t receives;     /* posted so far */
    uint32_t receives_told; /* that `now` counts */
    uint32_t decisions;    /* made so far */
    uint32_t known;        /* all up to this one are known to its program */
    uint8_t *is_known;     /* by decision number */
    uint32_t known_room;
    struct poe_decided *decided; /* by decision number - 1 */
    bool shielded;         /* one of them is */
    uint32_t *uncovered;   /* by source: the last one that could have taken a message, and had none from there */
    uint32_t decided_room;
    struct poe_poll_count *polls;
    uint32_t n_polls, polls_room;
    uint64_t forced;       /* `not yet`s without progress */
};

struct poe_rank {
    struct poe_thread *threads; /* by number */
    uint32_t n_threads;
    bool quiet;            /* no thread of it runs: what it has called so far is all there is */
    bool stopped;          /* it will never go on (it crashed) */
    struct poe_op *live_first, *live_last;
    struct poe_op *wild_first, *wild_last; /* by thread, in program order */
    struct poe_op **slots; /* by handle */
    uint32_t n_slots;
    uint64_t last_lock;      /* when it got its last one, in grants; 0: none */
    struct poe_clock *delivered; /* what the receivers of its buffered sends knew */
};

enum poe_ready_kind { POE_READY_PAIR, POE_READY_PROBE, POE_READY_FENCE, POE_READY_COLLECTIVE, POE_READY_FLOW };

struct poe_ready {
    enum poe_ready_kind kind;
    struct poe_op *a, *b; /* PAIR: send, receive; PROBE: send, probe; FENCE: the fence; FLOW: the member */
    struct poe_instance *instance;
};

struct poe {
    struct poe_arena *arena; /* all of this is in it */
    struct poe_config config;
    struct poe_rank *ranks;
    struct poe_comm **comms;
    int n_comms, comms_room;
    struct poe_instance *halves; /* of intercommunicators to be, whose other side is not there yet */
    int running; /* ranks that are not quiet */
    uint32_t components; /* of clocks: threads that have decided something, and those that have posted receives */
    struct poe_lock *locks; /* held */
    uint32_t n_locks, locks_room;
    uint64_t grants;
    uint64_t wildcards; /* pending wildcard receives of all ranks */
    bool finished;

    struct poe_ready *ready; /* ring */
    uint32_t ready_first, n_ready, ready_room;
    struct poe_instance **clashes; /* complete, and their members called different collectives */
    uint32_t n_clashes, clashes_room;

    struct poe_op *grave, *pool;

    /* what poe_fired shows */
    struct poe_fired fired;
    const struct poe_transition **members;
    uint32_t members_room;
    struct poe_effect *effects;
    uint32_t effects_room;

    /* what poe_choice shows */
    struct poe_choice choice;
    struct poe_alternative *alternatives;
    uint32_t alternatives_room;
    uint32_t *positions;
    uint32_t positions_room, n_positions;

    unsigned n_decisions;
    bool pending_choice; /* poe_choice waits for poe_decide */
    uint64_t signature; /* of all decisions so far */
    unsigned *races;
    uint32_t n_races, races_room;
    bool buffering_matters;
    struct poe_barrier *barriers; /* call sites */
    uint32_t n_barriers, barriers_room;
    bool barriers_unclear;
    bool standard_sends; /* there was a send or collective that buffering would complete earlier */
    uint64_t progress;      /* counts events other than polling in vain */
    uint64_t progress_seen; /* ... when polls were last forced */
    bool livelock_told;

    /* what poe_wait shows */
    struct poe_wait wait;
    int *wait_ranks;
    const struct poe_transition **wait_pending;
    uint32_t wait_pending_room;
};

static inline struct poe_op *poe_op_of(const struct poe_transition *t) { return (struct poe_op *)t; }

/* The program order that the operation is part of. Valid until the next poe_add. */
static inline struct poe_thread *poe_thread_of(const struct poe *poe, const struct poe_op *op)
{
    return &poe->ranks[op->t.rank].threads[op->t.call.thread];
}

/* Whether its thread waits in it. */
static inline bool poe_op_is_fence_of_thread(const struct poe *poe, const struct poe_op *op)
{
    return poe_thread_of(poe, op)->fence == op;
}

#endif
