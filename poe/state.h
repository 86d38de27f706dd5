/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of one run: ranks, their live operations, and what is ready to fire.
 * Private to poe/.
 *
 * All of it is in poe->arena, so that it can be saved: what is here points to nothing in the heap. What ends
 * with the call that needs it is in the heap (memory.h).
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

#define POE_NEVER_SHORT UINT32_MAX

struct poe_clock;
struct poe_watch;
struct poe_attached;
struct poe_comm;
struct poe_instance;
struct poe_lock;
struct poe_admitted;
struct poe_mixed_play;
struct poe_record;
struct poe_shown;
struct poe_look;
struct poe_visit;

/* A growing list of pieces of memory: visit.h. */
struct poe_piece;
struct poe_pieces {
    struct poe_piece *all;
    uint32_t n, room;
    bool unknown; /* any, or too many to keep */
};

/* How a fence that is decided or complete is answered. */
enum poe_answer { POE_ANSWER_YES, POE_ANSWER_NOT_YET };

struct poe_op {
    struct poe_transition t;              /* first: a poe_transition is a poe_op */
    struct poe_op *live_prev, *live_next; /* its rank's live operations, program order */
    struct poe_op *prev, *next;           /* its channel, or its inbox's receives */
    struct poe_op *wild_prev, *wild_next; /* its rank's pending open receives */
    struct poe_op *waited_by;             /* the COMPLETE that its rank is in and that names it; the last one,
                                             if several ask ... */
    struct poe_op *asks_too;              /* COMPLETE: ... and the one before it
                                             (poe_fence_complete_is_valid) */
    struct poe_op *message;               /* matched probe: the send that it took out */
    struct poe_instance *instance;        /* COLLECTIVE: what it is part of, until that is over */
    struct poe_op *join;                  /* the JOIN that names it, until it is complete */
    struct poe_op **waits;                /* COMPLETE: its operations, as call.list */
    uint32_t *list;                       /* storage of call.list */
    uint32_t *taken;                      /* COMPLETE: the positions that complete */
    uint32_t list_room, n_taken;
    uint32_t missing;                     /* COMPLETE, JOIN: operations that are not complete */
    uint32_t number;                      /* RECV: among its thread's receives, from 1; with `space`:
                                             attached.h */
    uint32_t space;                       /* buffered send: its place in the attached buffer's list + 1, or
                                             0 */
    uint32_t admitted;                    /* its place among what was admitted of its thread, from 1
                                             (admission.h); 0: it did not wait for that */
    uint64_t seen;                        /* a send: threads (bits) whose probes have found it, if no receive
                                             since then accepts it */
    uint64_t asked_guards, asked_perhaps; /* a thread that polls for it under these mutexes ... */
    uint32_t asked_site, asked_decision;  /* ... by this decision of its */
    uint16_t asked_fn, asked_by;          /* its number + 1 */
    uint64_t entered_at;                  /* when it was admitted, in admissions of the run */
    uint32_t decision;                    /* number among its thread's decisions, from 1; 0: none */
    unsigned born;                        /* decisions that the run had made when it came */
    int new_comm;                         /* COLLECTIVE: number of the communicator that it made for its
                                             rank */
    enum poe_answer answer;
    bool named;                  /* a COMPLETE that is looked at names it */
    bool queued;                 /* in its channel or inbox: unmatched and not taken out */
    bool open;                   /* RECV: what it gets is a choice: it is a wildcard, or may be cancelled */
    bool marked;                 /* RECV: MPI_Cancel was called for it */
    bool local;                  /* JOIN: of nothing but operations with MPI_PROC_NULL */
    bool standard;               /* JOIN: one of them is a send that buffering would complete */
    bool entered;                /* COLLECTIVE that flows: its call has fired */
    bool ready;                  /* it is in the ready queue */
    bool exhausted;              /* a poll that has said `not yet` often enough: it waits */
    bool unkept;                 /* MPI might keep it, and does not in this run (kept.h) */
    bool elsewhere;              /* a buffered send's message that MPI has kept elsewhere when its buffer was
                                    detached */
    bool moved;                  /* COLLECTIVE that flows: its parts are on their way */
    bool in_vain;                /* a LOCK waited, since it would have looked in vain */
    bool cut;                    /* ... though another `not yet` (or a LOCK's look) might have led
                                    elsewhere */
    bool stale;                  /* a poll that says again what it has said */
    bool told;                   /* MPI_Request_get_status said that it is complete */
    bool put_off;                /* *later* was chosen for it at least once */
    bool awaits;                 /* its thread's admission */
    bool rivalled;               /* COLLECTIVE: another thread was in one of the same communicator when it was
                                    called */
    bool slept_no;               /* ... when `not yet` (or that it is cancelled) was an alternative */
    bool asleep;                 /* LOCK: put off, and nothing dependent has come first */
    uint64_t since, woken;       /* LOCK: put off, what comes first has this number or a higher one; the first
                                    dependent one has had that */
    struct poe_pieces pieces;    /* LOCK: what it will access, as far as that is told before */
    uint32_t asked_with;         /* a unit: MPI_Parrived has asked for it, and for so many in all; 0: it has
                                    not */
    uint64_t any_taker;          /* a send: index + 1 of the first receive or probe of any tag that has found
                                    it */
    uint64_t *slept;             /* bits: sources (world ranks), or positions, that *later* excludes */
    struct poe_clock *posted;    /* what its thread knew when it was issued */
    struct poe_clock *done;      /* what is known where it completes */
    struct poe_clock *marked_at; /* what its thread knew when it called MPI_Cancel */
    struct poe_watch *watches;
};

struct poe_poll_count {
    uint32_t site, in_a_row;
    uint64_t calls; /* of its thread, when it last said `not yet` */
};

/* One program order. A rank has one, or, from MPI_THREAD_SERIALIZED on, one for each of its threads. */
struct poe_thread {
    uint64_t next_index;
    struct poe_op *fence; /* where it waits; NULL: it runs, or is idle outside MPI */
    struct poe_clock *now;
    uint32_t component;          /* its place in a clock */
    uint32_t receives_component; /* ... for the receives that it has posted (ready_send.h) */
    uint32_t calls_component;    /* ... and for its calls, with config.exact */
    uint32_t stamp_component;    /* ... and for the decisions before its last call, with config.merge */
    uint32_t calls;              /* so far, then */
    uint32_t receives;           /* posted so far */
    uint32_t receives_told;      /* that `now` counts */
    uint32_t decisions;          /* made so far */
    uint32_t known;              /* all up to this one are known to its program */
    uint8_t *is_known;           /* by decision number */
    uint32_t known_room;
    struct poe_decided *decided; /* by decision number - 1 */
    bool shielded;               /* one of them is */
    uint32_t *uncovered;         /* by source: the last one that could have taken a message, and had none from
                                    there */
    uint32_t decided_room;
    struct poe_poll_count *polls;
    uint32_t n_polls, polls_room;
    uint64_t other_calls; /* than polls */
    uint32_t turned_off;  /* `not yet`s since its last poll that succeeded, where that was another
                             alternative */
    uint64_t forced;      /* `not yet`s without progress */
    uint64_t moved;       /* `forced` when its program last did something else than before */
    /* see admission.h */
    struct poe_op *await_first, *await_last; /* what it has called, and is not admitted */
    struct poe_admitted *admitted;
    uint32_t n_admitted, admitted_room;
    uint32_t admissions, admissions_component;
    uint64_t guards, perhaps;      /* of its last call */
    uint64_t called_at;            /* ... in admissions of the run */
    uint64_t woken_at;             /* when it called for the first time since it was idle outside MPI, in
                                      admissions of the run */
    bool held;                     /* it waits in ADMIT */
    bool put_off;                  /* until another one has been admitted */
    uint64_t slept_from, slept_to; /* the last time: what was admitted meanwhile, in admissions of the run */
    bool let_go;                   /* it was released since its rank was quiet, or has called */
    struct poe_pieces told;        /* accesses since its last record, to `told_window` */
    int told_window;
    struct poe_visit *visit; /* the turn or atomic access that is under way */
    struct poe_look *looks;
    uint32_t n_looks, looks_room;
    bool spins; /* it was granted a visit that polls in vain: what it records is no progress */
};

struct poe_rank {
    struct poe_thread *threads; /* by number */
    uint32_t n_threads;
    bool quiet;     /* no thread of it runs: what it has called so far is all there is */
    bool stopped;   /* it will never go on (it crashed) */
    bool guessed;   /* quiet, but for threads that seemed to wait */
    uint8_t causes; /* threads that were released since it was quiet; 2: or more ... */
    uint32_t cause; /* ... the last one */
    bool untold;    /* nobody tells what it accesses */
    struct poe_op *live_first, *live_last;
    struct poe_op *wild_first, *wild_last; /* open receives, by thread, in program order */
    struct poe_op **slots;                 /* by handle */
    uint32_t n_slots;
    uint64_t last_lock;            /* when it got its last one, in grants; 0: none */
    struct poe_attached *attached; /* attached.h: messages that may be in the attached buffer */
    uint32_t n_attached, attached_room;
    struct poe_clock *delivered; /* what the receivers of its buffered sends knew */
};

enum poe_ready_kind {
    POE_READY_PAIR,
    POE_READY_PROBE,
    POE_READY_FENCE,
    POE_READY_COLLECTIVE,
    POE_READY_FLOW,
    POE_READY_ADMITTED,
    POE_READY_CANCELLED
};

struct poe_ready {
    enum poe_ready_kind kind;
    struct poe_op *a, *b; /* PAIR: send, receive; PROBE: send, probe; FENCE: the fence; FLOW: the member;
                             CANCELLED: the operation */
    struct poe_instance *instance;
    int rank; /* ADMITTED */
    unsigned thread;
};

/* What lower layers of poe lead to in higher ones (tests/layers): poe_create sets it. */
struct poe_hooks {
    /* An operation of an admitted thread takes its place in the queues (poe.c). */
    void (*enter)(struct poe *, struct poe_op *);
    /* A thread is released from its fence (admission.h); and what the fence asked is answered (poll.h,
     * cancel.h). */
    void (*let_go)(struct poe *, int rank, unsigned thread);
    void (*poll_answered)(struct poe *, const struct poe_op *fence, bool yes);
    void (*cancel_answered)(struct poe *, const struct poe_op *fence);
};

struct poe {
    const struct poe_hooks *hooks;
    struct poe_arena *arena; /* all of this is in it */
    struct poe_config config;
    struct poe_rank *ranks;
    struct poe_comm **comms;
    int n_comms, comms_room;
    struct poe_instance *halves; /* of intercommunicators to be, whose other side is not there yet */
    int running;                 /* ranks that are not quiet */
    uint32_t components;         /* of clocks: threads that have decided something, and those that have posted
                                    receives */
    struct poe_lock *locks;      /* held */
    uint32_t n_locks, locks_room;
    uint64_t grants;
    struct poe_visit **visits; /* in order of their grants, those that may still matter */
    uint32_t n_visits, visits_room, prune_at;
    uint32_t grants_in_a_row;               /* since something else was decided */
    struct poe_op *withdrawn;               /* copies of sends that were cancelled (cancel.h) */
    bool granting;                          /* the last decision was one of locks that can be held together:
                                               there may be more */
    bool redundant;                         /* a visit that was put off found nothing to be put off for */
    uint64_t wildcards;                     /* pending open receives of all ranks */
    uint32_t admissions, admissions_asleep; /* threads that are not admitted, and those of them that were put
                                               off */
    uint64_t entered;                       /* admissions so far */
    struct poe_unordered unordered;
    bool blind;                         /* poe_is_blind */
    const struct poe_transition *rival; /* what poe_rival says */
    bool finished;
    struct poe_record *record;             /* or NULL */
    struct poe_mixed_play *follows;        /* it plays a part of another run (mixed.c); or NULL */
    enum poe_state (*force)(struct poe *); /* ... what poe_poll_force is then */

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
    uint64_t signature;  /* of all decisions so far */
    struct poe_race *races;
    uint32_t n_races, races_room;
    bool buffering_matters;
    struct poe_shown *shown; /* shown.h: since the caller asked last */
    uint32_t n_shown, shown_room;
    unsigned short_from; /* a blocking receive that came after so many decisions has got less than it has
                                     room for; POE_NEVER_SHORT: none since the caller asked last */
    bool odd;            /* it has made calls that states are not compared with */
    struct poe_barrier *barriers; /* call sites */
    uint32_t n_barriers, barriers_room;
    bool barriers_unclear;
    bool standard_sends; /* there was a send or collective that buffering would complete earlier */
    uint32_t turned_off; /* decisions that did not take their first alternative ... */
    unsigned asked;      /* since the caller asked last what has shown up: bits by enum poe_question */
    struct poe_cut cut;
    bool is_cut;
    bool looks_waited;
    uint64_t progress;      /* counts events other than polling in vain */
    uint64_t progress_seen; /* ... when polls were last forced */
    bool withheld;          /* ... and something could have moved then, but is put off */
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

/* Of its thread, among those of its rank; with very many threads some share one. */
static inline uint64_t poe_thread_bit_of(uint32_t thread) { return UINT64_C(1) << (thread % 64); }
static inline uint64_t poe_thread_bit(const struct poe_op *op)
{
    return poe_thread_bit_of(op->t.call.thread);
}

/* Whether its thread waits in it. */
static inline bool poe_op_is_fence_of_thread(const struct poe *poe, const struct poe_op *op)
{
    return poe_thread_of(poe, op)->fence == op;
}

#endif
