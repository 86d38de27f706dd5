/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `isp debug` is about: one interleaving, recorded, and a stand in it (stand.h) whose ranks gdb can look
 * into (inferior.h). Commands (console/) and the debug adapter (dap/) both drive this; neither touches a
 * world itself.
 *
 * Time is told in events. A *cut* is for each rank how many it may make (cuts/): a rank stands at the first
 * one that it may not make, or in the one before it, if that cannot return yet. The *focus* is the rank that
 * commands are about.
 */
#ifndef SCHED_DEBUG_SESSION_H
#define SCHED_DEBUG_SESSION_H

#include <event2/event.h>

#include "explore/result.h"
#include "recorded_cuts.h"
#include "stand.h"

struct sched_inferior;
struct sched_history;
struct sched_breaks;
struct sched_printing;

struct sched_session {
    const struct sched_options *options;
    struct event_base *base;
    struct sched_engine engine;
    struct sched_stands stands;
    struct sched_record *record;
    struct cuts_run *cuts;
    struct sched_decisions *guide;
    unsigned *choices, n_choices; /* of the recorded interleaving, all that it made */
    const char *ending;           /* how it ended: "finished", "deadlock" ... */
    uint64_t *last;               /* its last cut: all that it made */
    struct sched_stand *now;
    uint64_t *limits; /* of `now` */
    int n, focus;
    struct sched_inferior *inferiors; /* of each rank */
    struct sched_history *history;    /* where one has been */
    struct sched_breaks *breaks;      /* at messages; NULL: there are none (breaks.h) */
    struct sched_printing *printing;  /* who is told what ranks print */
    bool tells_later;                 /* ... in a recording: when one comes there. What comes before MPI_Init
                                        returns is told at once */
    bool others_run;                  /* what is not asked to move runs as far as it can, and not only as far
                                         as it must */
    bool wanted;                      /* somebody wants attention: a gdb has something to tell, or SIGINT
                                         came */
    bool broken_off;                  /* SIGINT came, or who else may end what is under way */
    bool closing;                     /* all is broken off from now on */
    struct event *sigint, *pulse;     /* pulse: while one travels, now and then wants attention */
    const struct sched_session_user *user;
    int times; /* a file without a name: the times of day that ranks have asked for (isp/times.h), or -1 */
    char *why; /* why the last function failed; never NULL */
};

/* Who uses a session, and what it is told. All but the context and `printed` may be NULL. */
struct sched_session_user {
    void *context;
    /* A rank has printed this (printing.h). */
    void (*printed)(void *context, int rank, bool error, const char *text);
    /* Before anything runs: it may add events to session->base, and set what stands have in common. */
    void (*begin)(void *context, struct sched_session *session);
    /* Nothing runs any more, and session->base is about to go. */
    void (*end)(void *context);
    /* gdb has been attached to another process of this rank, which is stopped. */
    void (*attached)(void *context, int rank);
};

/* Records the interleaving that the options name, for this user (borrowed). NULL, and *why, which the caller
 * frees. */
struct sched_session *sched_session_create(const struct sched_session_user *user,
                                           const struct sched_options *options, struct sched_result *result,
                                           char **why);
void sched_session_destroy(struct sched_session *session);

/* Functions that return a bool fail with false and session->why, a line without its end. */
bool sched_session_fail(struct sched_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- travel (travel.c) ---- */

/* Brings the stand to this cut, forward if that is possible, else from a checkpoint (marks.h) or a launch;
 * the focus is then this rank. */
bool sched_session_go(struct sched_session *session, const uint64_t *limits, int focus);
/* Not forward in any case: the ranks come there by their own program. */
bool sched_session_go_anew(struct sched_session *session, const uint64_t *limits, int focus);
/* Causal stop: the focus at this event, the others where they must have been by then, and no further. */
bool sched_session_go_to(struct sched_session *session, struct sched_record_name event);
/* All ranks in MPI_Init. */
bool sched_session_go_to_start(struct sched_session *session, int focus);
/* Lets one rank go up to this event, the others stay. False: it was interrupted, or lost (session->why). */
bool sched_session_let(struct sched_session *session, int rank, uint64_t limit);

/* ---- the rest ---- */

/* Records the interleaving of these choices instead, and stands at its end. What it prints is told when one
 * comes there. */
bool sched_session_choose(struct sched_session *session, const unsigned *choices, unsigned n);

/* What is under way ends soon, as by SIGINT; may be called by a callback. for_good: so does all that is begun
 * later. */
void sched_session_break_off(struct sched_session *session, bool for_good);
/* Ends the stand; there is none then. */
void sched_session_leave(struct sched_session *session);

/* Before a command: takes note of what has happened since the last one. A SIGINT that came in between is
 * about nothing. */
void sched_session_catch_up(struct sched_session *session);

/* The run of the stand: for words about it. */
struct sched_run *sched_session_run(const struct sched_session *session);
/* How far a rank is: the event that it stands at (or in: *in). It may be past the last one that was
 * recorded. */
struct sched_record_name sched_session_event(const struct sched_session *session, int rank, bool *in);

#endif
