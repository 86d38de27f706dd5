/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gdb for each rank of a session: started when somebody first looks into the rank, attached to its process of
 * the present stand, and detached when the stand moves on without it.
 *
 * A rank that gdb has stopped is in one of two states. *Looked at*: it waits in a call of MPI, and was
 * stopped only to be looked at; before the stand moves, it runs on. *At a line*: it is in the program's own
 * code, and stays there until somebody moves it; the others do not wait for it (world/hold.h).
 */
#ifndef SCHED_DEBUG_INFERIOR_H
#define SCHED_DEBUG_INFERIOR_H

#include "gdb/breakpoints.h"
#include "gdb/frames.h"
#include "gdb/gdb.h"
#include "gdb/values.h"
#include "session.h"

/* What a rank has stopped for last. Texts are its own. */
struct sched_inferior_stop {
    enum sched_gdb_reason reason;
    int breakpoint, code;
    char *signal, *meaning, *expression, *before, *now, *returned;
};

struct sched_inferior {
    struct sched_session *session;
    int rank;
    struct sched_gdb *gdb; /* NULL: nobody has looked into it yet */
    bool attached;         /* to a process of the present stand: what gdb tells is about that */
    bool at_line;
    bool moving; /* a move of it has begun, and has not come to its end */
    bool news;   /* it has stopped, and nobody has asked why yet */
    bool over;   /* its process is gone */
    struct sched_inferior_stop stop;
};

/* Attached and stopped. NULL: session->why. */
struct sched_gdb *sched_inferior_look(struct sched_session *session, int rank);
/* The same, and gdb's number of the rank's own frame `index`, from 0, innermost first. */
struct sched_gdb *sched_inferior_look_at(struct sched_session *session, int rank, int index, int *level);
/* Begins a move of the rank. */
bool sched_inferior_move(struct sched_session *session, int rank, enum sched_gdb_move move,
                         const char *place);
/* It has stopped at a line without gdb, which is attached by now. */
void sched_inferior_found(struct sched_session *session, int rank);
/* Takes note of what gdbs have told: ranks that have stopped are at a line. True: of one of `which` (NULL:
 * any). */
bool sched_inferior_hear(struct sched_session *session, const bool *which);
/* All ranks that are only looked at run on; those that are at a line stay. */
void sched_inferiors_run_on(struct sched_session *session);
/* gdb lets go of all processes: they run on, or are about to end. */
void sched_inferiors_detach(struct sched_session *session);
/* The same, and their next processes are others: what these have come to is forgotten. */
void sched_inferiors_leave(struct sched_session *session);
/* Stops those that are moving in the program's own code. */
void sched_inferiors_interrupt(struct sched_session *session);

void sched_inferiors_create(struct sched_session *session);
void sched_inferiors_destroy(struct sched_session *session);

#endif
