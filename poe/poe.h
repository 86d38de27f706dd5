/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The POE algorithm over one run (Vakkalanka, Vo, Gopalakrishnan; Vo's
 * dissertation 2011, chapters 3 and 4), as values: transitions go in, fired match
 * sets and choice points come out. It knows no sockets, no MPI and no time.
 *
 * Use: feed the records of each rank in program order with poe_add; call
 * poe_step until it says POE_RUNNING, and hand every fired match set's effects
 * to the ranks; feed more. At POE_CHOICE call poe_decide. Firing is confluent:
 * whatever order the ranks' records arrive in, the same decisions give the same
 * run. That is what makes replay possible.
 *
 * Deviations from the paper are listed in poe/DEVIATIONS.md.
 */
#ifndef POE_H
#define POE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/call.h"

struct poe;
struct poe_saved;

/* The transition with this index of this rank. */
struct poe_name {
    int rank;
    uint64_t index;
};

struct poe_config {
    int ranks;
    bool buffered;            /* standard sends complete at once (infinite), or with their receive (zero) */
    unsigned polls;           /* K: `not yet`s in a row at one call site before a poll waits; see
                                 POE_POLLS_CHANGED */
    unsigned livelock_rounds; /* forced `not yet`s per polling rank, without progress or change of its state,
                                 that make a livelock */
    bool mixed;               /* beside `buffered`: only of `kept` (in order, borrowed by poe_create); see
                                 kept.h and mixed.h */
    const struct poe_name *kept;
    size_t n_kept;
    bool record;      /* the calls and decisions of the run are kept, for mixed.h */
    bool exact;       /* clocks know each call (mixed.c) */
    bool merge;       /* its choice points may be compared with those of other runs: states.h */
    unsigned threads; /* OpenMP threads for searches over many pending transitions; 0: automatic, 1: off */
};

/* A thread of a rank (from MPI_THREAD_SERIALIZED on) has a program order of its own: its number is in the
 * high bits of the indices of its transitions, so (rank, index) names a transition all the same. */
#define POE_THREAD_SHIFT 40
#define POE_THREADS_MAX (1u << 15)

/* One transition. Fields are read-only outside poe. */
struct poe_transition {
    int rank;
    uint64_t index;       /* in its rank's program order, from 0, without READY; see POE_THREAD_SHIFT */
    struct isp_call call; /* list is owned by the transition */
    bool matched, completed;
    bool cancelled;        /* MPI_Cancel succeeded: it will never match */
    uint64_t crowd;        /* a buffered send that the attached buffer may lack space for: what may be pending
                              in it takes so many bytes */
    unsigned put_off;      /* LOCK: so often, *later* was taken */
    bool unready;          /* a ready send, matched: nothing makes certain that its receive is posted
                              before */
    bool held;             /* ISP_F_HELD, and READY has not come */
    bool consumed;         /* nothing will refer to it any more: waited for, freed, or without request from
                              birth */
    int32_t source, tag;   /* RECV, PROBE once matched: the message's source and tag */
    uint64_t source_index; /* ... and the index of its send */
};

struct poe *poe_create(const struct poe_config *config);
void poe_destroy(struct poe *poe);

/* ---- save and restore ---- */

/* All that poe knows of the run, to be had again by poe_restore, with the same poe, as often as wanted:
 * pointers that it has handed out before poe_save are valid again, those of after are not. After POE_CHOICE,
 * and before poe_decide, this is how to take one alternative after another. Between any two calls into poe.
 * What does not change from one save to the next is kept once. */
struct poe_saved *poe_save(const struct poe *poe);
void poe_restore(struct poe *poe, const struct poe_saved *saved);
void poe_saved_destroy(struct poe_saved *saved); /* also when poe is destroyed already */
/* Memory that it takes besides what it shares with those that were there before it. */
size_t poe_saved_bytes(const struct poe_saved *saved);

/* ---- transitions in ---- */

/* Adds the next transition of a rank's thread (call->thread); `call` is copied. 0, or -1 if no MPI program
 * can produce it (unknown handle or communicator, rank out of range, a thread that
 * already waits): then the run cannot be modelled any further. A fence makes the rank quiet, unless
 * call->others. */
int poe_add(struct poe *poe, int rank, const struct isp_call *call);

/* The same in two steps, for who has to tell others of a call that is valid before it is added. poe_check:
 * whether it can be; poe_put adds it, if nothing has happened to poe since, nor to what the call names. */
bool poe_check(struct poe *poe, int rank, const struct isp_call *call);
void poe_put(struct poe *poe, int rank, const struct isp_call *call);

/* Whether poe_add can take it now. Of several threads of a rank, one may have to wait for what another one
 * has added: it names an operation that is not there yet, or its own handle is not free yet. */
bool poe_can_add(struct poe *poe, int rank, const struct isp_call *call);

/* No thread of the rank runs: all that are in MPI wait in a fence, and the others for them. It ends with the
 * next release of one of its threads. */
void poe_quiet(struct poe *poe, int rank);

/* It was quiet only as far as one can tell: threads of it that call nothing may go on all the same, released
 * or not. False, for a rank that is quiet for certain, holds from then on. */
void poe_guessed(struct poe *poe, int rank, bool guessed);

/* Takes poe_quiet back. A release does so by itself; call it if the rank was only taken to wait (it polls
 * memory), and has gone on, or may still, and none of its threads is in a fence. */
void poe_runs(struct poe *poe, int rank);

/* The rank will never go on (it crashed, or left): the others still may. Then POE_DEADLOCK
 * means no more than that nothing else can move. */
void poe_stop(struct poe *poe, int rank);

/* ---- memory that several ranks use ---- */

/* What is done with it. Of what is read, or updated by one operation with one type, the order does not
 * matter. */
enum poe_use { POE_READS, POE_UPDATES, POE_WRITES, POE_FETCHES /* reads and writes */ };

/* A rank's thread accesses bytes of a window (or file), in the memory of `target`. Told before its next
 * record, it belongs to that one if it is a LOCK with ISP_LOCK_ATOMIC (or a TURN), else to the lock that it
 * has. A turn, or atomic access, of which nothing is told may do anything. */
void poe_access(struct poe *poe, int rank, unsigned thread, int window, int target, enum poe_use use,
                uint32_t op, uint32_t type, uint64_t at, uint64_t length);
/* The last atomic access has changed nothing. */
void poe_unchanged(struct poe *poe, int rank, unsigned thread);
/* What the rank accesses from now on is not told. */
void poe_access_unknown(struct poe *poe, int rank);

enum poe_state {
    POE_FIRED,     /* a match set fired: see poe_fired */
    POE_RUNNING,   /* a rank is not quiet and no match set is ready: feed more */
    POE_CHOICE,    /* only nondeterministic moves are left: see poe_choice, call poe_decide */
    POE_FINISHED,  /* every rank has finalized */
    POE_DEADLOCK,  /* nothing can move: see poe_wait */
    POE_LIVELOCK,  /* ranks poll, and nothing they poll for can come: see poe_wait */
    POE_REDUNDANT, /* a `later` brought nothing new: another interleaving shows this run */
    POE_MISMATCH,  /* the members of a communicator called different collectives: poe_fired lists them */
};

enum poe_state poe_step(struct poe *poe);
/* POE_REDUNDANT, whatever else may still come. */
bool poe_is_redundant(const struct poe *poe);

/* ---- fired match sets ---- */

/* What one rank is told because of a match set. Effects of a rank must reach it
 * in the order in which they were fired. */
struct poe_effect {
    int rank;
    bool release; /* false: `action`; true: the fence of its thread `thread` is over, with `result` */
    uint16_t thread;
    struct isp_action action;
    struct isp_result result; /* list is valid until the next call */
};

struct poe_fired {
    const struct poe_transition *const *members;
    unsigned n_members;
    const struct poe_effect *effects;
    unsigned n_effects;
    bool vain; /* of a thread that was let go on polling in vain: it is no progress */
};

/* Valid after POE_FIRED or POE_MISMATCH until the next call into poe. Members of a message
 * match: the send, then the receive (or probe). */
const struct poe_fired *poe_fired(const struct poe *poe);

/* ---- choice points ---- */

enum poe_alternative_kind {
    POE_TAKE_MESSAGE, /* wildcard receive or probe: the message (source, source_index) */
    POE_TAKE_SUBSET,  /* Waitany, Waitsome, Test family: these positions of the record's list complete */
    POE_NOT_YET,      /* a poll says no */
    POE_CANCEL,       /* it is cancelled (cancel.h): it gets no message */
    POE_ADMIT,        /* a thread: what it has called takes its place in the queues of its rank (admission.h);
                         the only alternative */
    POE_GRANT,        /* a lock, turn or atomic access comes now, before what others want there */
};

struct poe_alternative {
    enum poe_alternative_kind kind;
    int source;
    uint64_t source_index;
    const struct poe_transition *send; /* TAKE_MESSAGE */
    const uint32_t *positions;         /* TAKE_SUBSET, ascending */
    uint32_t n;
};

struct poe_choice {
    const struct poe_transition *transition; /* the wildcard, wait or poll that is decided */
    const struct poe_alternative *alternatives;
    unsigned n;         /* alternatives that are there now; decide(n) means *later* */
    unsigned number;    /* how many decisions this run made before */
    uint64_t signature; /* equal in every run that made the same decisions before */
};

const struct poe_choice *poe_choice(const struct poe *poe);

/* Takes alternative k < n, or puts the transition off (k == n): from then on it
 * only takes alternatives that were not there now. */
void poe_decide(struct poe *poe, unsigned k);

/*
 * Races. A decision needs its *later* alternative only if some run below it showed
 * an alternative that was not there at the time, and that does not happen after the
 * decision. poe finds these as the run goes on (vector clocks, as in DAMPI's
 * theorem 5.5, used as the backtrack rule of dynamic partial order reduction).
 * Gives the next decision number with such a race; false if there is none (yet).
 */
bool poe_next_race(struct poe *poe, unsigned *number);
/* The same, with the message that shows it: one that the decision's receive or probe could have taken. */
struct poe_race {
    unsigned number;
    int source, tag; /* source ISP_NO_RANK: it is none of a message */
};
bool poe_next_race_of(struct poe *poe, struct poe_race *race);
/* The run is over: visits that have not come to their end race as they are. */
void poe_visits_over(struct poe *poe);

/* True once this run (with zero buffering) showed that buffering standard sends
 * could add an alternative to a decision that was made. */
bool poe_buffering_matters(const struct poe *poe);

/* A thread that looked at a window in vain waited until somebody changed it. */
bool poe_looks_waited(const struct poe *poe);
/* Several threads of a rank have called. */
bool poe_has_threads(const struct poe *poe);
/* ... and nobody sees their mutexes (ISP_F_BLIND). */
bool poe_is_blind(const struct poe *poe);

/* Whether the order of two calls of different threads can be told, as far as poe has seen. */
bool poe_calls_compete(const struct poe *poe, const struct isp_call *a, const struct isp_call *b);

/* Valid after POE_CHOICE of POE_ADMIT: another thread of the rank is in a collective of the communicator
 * (window, file) that this one is about to call one of. NULL: none is. */
const struct poe_transition *poe_rival(struct poe *poe);

/* Two calls of threads of a rank whose other order no run may show, though it could matter. */
enum poe_unordered_why {
    POE_UNORDERED_CALLS,
    POE_UNORDERED_MUTEX,  /* both were made under one mutex: who gets it first was not poe's to decide */
    POE_UNORDERED_WAITED, /* ... and the second one waited in it for what came after the first */
    POE_UNORDERED_BEFORE, /* both threads had one mutex before, and gave it back: what they call may depend
                             on who was first */
    POE_UNORDERED_BLIND,  /* the second one's thread was idle outside MPI, perhaps for a mutex
                             (ISP_F_BLIND) */
};
struct poe_unordered {
    int rank_plus_one;
    enum poe_unordered_why why;
    struct isp_call first, second; /* without their lists */
};
bool poe_unordered(const struct poe *poe, struct poe_unordered *pair);

/* ---- what was recorded (poe_config.record) ---- */

/* The call of this transition, or NULL. */
const struct isp_call *poe_recorded_call(const struct poe *poe, struct poe_name name);
/* It was decided that this receive or probe takes a message: the send. */
bool poe_recorded_taken(const struct poe *poe, struct poe_name name, struct poe_name *send);
/* It is a poll, and its answer was `not yet`. */
bool poe_recorded_no(const struct poe *poe, struct poe_name name);
/* The call site of the last decision, or 0; that is known of a run that was too long as well. */
uint32_t poe_recorded_site(const struct poe *poe);

/* Whether it is an operation that MPI may complete early, and need not (kept.h). */
bool poe_kept_may_be(const struct isp_call *call);

/* ---- what is not tried ---- */

/* Bounds of poe's own. */
enum poe_cut_kind {
    POE_CUT_NO_POLLS,     /* a poll that waited and then succeeded, since K is 0 */
    POE_CUT_POLLS,        /* ... since it had said `not yet` often enough, though the program's state had
                             changed meanwhile, or it had made other calls */
    POE_CUT_UNSEEN_POLLS, /* ... though ISP_F_UNSEEN */
    POE_CUT_LOOKS,        /* a poll of a window's memory that waited, though the program's state had changed
                             since its last look */
    POE_CUT_CANCEL,       /* MPI_Cancel that could have gone the other way: of a send, or of a receive whose
                             match was no decision */
    POE_CUT_SUBSETS,      /* Waitsome or Testsome over so many complete requests that not every subset is an
                             alternative */
    POE_CUT_STARTALL,     /* the order of sends of one MPI_Startall, one of which was taken as of any tag */
    POE_CUT_UNITS,        /* MPI_Parrived of single partitions, where the sides have cut into other units */
};

/* A place of this run at which some alternative that might lead elsewhere is none. */
struct poe_cut {
    enum poe_cut_kind kind;
    int rank;
    struct isp_call call; /* without its list */
};

/* The first one of this run; NULL: there was none. Of a redundant run it means nothing. */
const struct poe_cut *poe_first_cut(const struct poe *poe);

/* ---- polls ---- */

/* `Not yet`s in a row at one call site, at most, where K is not 0 and less, and the program's state has
 * changed in between. */
#define POE_POLLS_CHANGED 10
/* ... and no more decisions than this, before its series of `not yet`s, were not their first alternatives. */
#define POE_POLLS_AFTER 2

/* A rank that polls, while for so many rounds nothing else has happened, and that is not known to do the same
 * for ever; -1: there is none. */
int poe_polls_in_vain(const struct poe *poe, unsigned rounds);
/* ... and what it polls for may be put off: the run would be redundant. */
bool poe_is_withheld(const struct poe *poe);

/* ---- barriers ---- */

/* A call site of MPI_Barrier. Sites of one group have met in one barrier. */
struct poe_barrier {
    uint32_t site, group;
    bool matters;    /* without the group, something could match that this run could not */
    uint64_t *ranks; /* that called it (bits) */
};

/* Those of this run so far. False: other things may need them, which nobody can tell here (locks, cancelled
 * operations, several threads, buffered sends ...). */
bool poe_barriers(const struct poe *poe, const struct poe_barrier **all, unsigned *n);

/* ---- why nothing moves ---- */

enum poe_wait_kind { POE_WAITS_ALL, POE_WAITS_ANY };

/* What a rank (or a thread of it) that does not move waits for. */
struct poe_wait {
    const struct poe_transition *at; /* the fence it is in; NULL: it runs or has finished, or waits outside
                                        MPI */
    bool finished;                   /* it waits in MPI_Finalize */
    bool polling;
    bool send_blocked;       /* a standard send that is not buffered holds it, or a collective that then would
                                not */
    enum poe_wait_kind kind; /* needs all or any one of `ranks` to act */
    const int *ranks;        /* the world ranks that are waited for, ascending */
    unsigned n_ranks;
    const struct poe_transition *const *pending; /* the operations that are not complete */
    unsigned n_pending;
};

/* Valid until the next call into poe. Of a rank: its first thread that waits in MPI, but for MPI_Finalize. */
const struct poe_wait *poe_wait(struct poe *poe, int rank);
const struct poe_wait *poe_wait_thread(struct poe *poe, int rank, unsigned thread);
/* How many threads of the rank have called MPI (the highest number + 1). */
unsigned poe_threads(const struct poe *poe, int rank);

/* The ranks that an operation which is not complete, or a fence, waits for, ascending: the destination, the
 * possible sources, the members that have not called (also of a collective that this rank has left). `ranks`
 * has room for all; returns how many. */
unsigned poe_missing(struct poe *poe, const struct poe_transition *pending, int *ranks);

/* The ranks of a wait-for cycle, in order (each waits for the next, the last for the first);
 * 0 if there is none, i.e. all wait in the end for ranks that have finished. */
unsigned poe_wait_cycle(struct poe *poe, int *ranks);

/* ---- what is left ---- */

/* The index that the next transition of a rank's thread will have; READY has none. */
uint64_t poe_next_index(const struct poe *poe, int rank, unsigned thread);
/* The live operation that a handle names, or NULL. */
const struct poe_transition *poe_operation(struct poe *poe, int rank, uint32_t handle);

/* Calls `see` for each live transition: unmatched messages and receives, matched operations that
 * nothing has completed. In rank and program order. */
void poe_each_live(struct poe *poe, void (*see)(const struct poe_transition *, void *), void *context);
/* ... of this rank. */
void poe_each_live_of(struct poe *poe, int rank, void (*see)(const struct poe_transition *, void *),
                      void *context);

/* Members of a communicator (world ranks, in its rank order); 0 if it is unknown. */
unsigned poe_comm_members(const struct poe *poe, int comm, const int **ranks);
/* How many of them are the first side of an intercommunicator; 0: it is none. */
unsigned poe_comm_first_side(const struct poe *poe, int comm);
/* The function that made it, and its call site; 0: it was not made by a call. */
uint16_t poe_comm_maker(const struct poe *poe, int comm, uint32_t *site);
/* A value that is equal in all runs for the same communicator, though numbers may differ. */
uint64_t poe_comm_key(const struct poe *poe, int comm);

#endif
