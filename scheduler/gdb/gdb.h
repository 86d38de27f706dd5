/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gdb for one rank, driven by its machine interface (GDB/MI; gdb 13). One gdb is started for each rank, reads
 * the program's symbols once, and is then attached to one process of that rank after the other.
 *
 * A rank is never shown inside MPI, isp or the C library: it stands in the innermost frame of the program's
 * own, at the call that it is in (frames.h). To step from there is to let the call return first.
 *
 *     struct sched_gdb *g = sched_gdb_create(&host, "app", &why);
 *     sched_gdb_attach(g, pid)                   it is stopped now
 *     sched_gdb_frames(g, 0, &n)                 where it stands (frames.h)
 *     sched_gdb_move(g, SCHED_GDB_NEXT, NULL)    it runs; host.on_stop says when it has stopped
 *     sched_gdb_detach(g)                        it runs as if nobody had looked
 *
 * Functions of this folder that return a bool or a pointer fail with false or NULL, and sched_gdb_error says
 * why, in a line. They turn the event loop until gdb has answered; so none is to be called in an event's
 * callback, nor in on_stop, and other events come meanwhile. Text that they give is the program's: escape
 * it.
 */
#ifndef SCHED_GDB_H
#define SCHED_GDB_H

#include <event2/event.h>
#include <stdbool.h>
#include <sys/types.h>

struct sched_gdb;

enum sched_gdb_reason {
    SCHED_GDB_INTERRUPTED, /* as asked for */
    SCHED_GDB_BREAKPOINT,  /* breakpoint */
    SCHED_GDB_WATCHPOINT,  /* breakpoint, expression, before, now */
    SCHED_GDB_SCOPE,       /* breakpoint: the variable that it watched is no more; gdb has deleted it */
    SCHED_GDB_STEPPED,     /* a move has come to its end */
    SCHED_GDB_FINISHED,    /* SCHED_GDB_FINISH has: returned */
    SCHED_GDB_SIGNAL,      /* signal: the program's own, which it has not got yet */
    SCHED_GDB_OTHER,       /* of the kinds that gdb's user may ask for on its console: name */
    SCHED_GDB_EXITED,      /* code; there is no process any more */
    SCHED_GDB_KILLED,      /* signal; likewise */
    SCHED_GDB_GONE,        /* gdb itself has died: sched_gdb_error */
};

/* What is not said of the reason is NULL or 0. The texts are good until on_stop returns. */
struct sched_gdb_stop {
    enum sched_gdb_reason reason;
    int thread;     /* gdb's number of the thread that has stopped */
    int breakpoint; /* its number */
    int code;
    const char *signal;  /* "SIGSEGV" */
    const char *meaning; /* "Segmentation fault" */
    const char *expression, *before, *now;
    const char *returned; /* the value, as gdb prints it; NULL: none */
    const char *name;     /* gdb's word for the reason */
};

/* What gdb needs of whoever uses it. Besides: SIGPIPE is ignored. */
struct sched_gdb_host {
    struct event_base *base;
    const bool *interrupted; /* becomes true: waiting for gdb ends. May be NULL */
    double patience_s;       /* how long one answer may take; 0: 30 */
    const char *gdb;         /* NULL: "gdb" of PATH */
    void (*on_stop)(void *context, const struct sched_gdb_stop *stop); /* sets fields only */
    void *context;
};

/* ---- gdb itself ---- */

/* Starts it, and reads the symbols of the program: a file, which need not be the one that ranks run (with a
 * launcher in between it is not; then attaching reads those of the process). NULL, and *why, which the
 * caller frees. */
struct sched_gdb *sched_gdb_create(const struct sched_gdb_host *host, const char *program, char **why);
/* Lets the process go, and ends gdb. NULL is fine. */
void sched_gdb_destroy(struct sched_gdb *g);
/* Why the last function failed. Until the next one is called. */
const char *sched_gdb_error(const struct sched_gdb *g);
/* gdb's process; 0: it has died. */
pid_t sched_gdb_pid(const struct sched_gdb *g);

/* ---- its process ---- */

/* Stops the process. Another one must have been detached before. */
bool sched_gdb_attach(struct sched_gdb *g, pid_t pid);
/* Breakpoints stay known, and are set in the next process. If it runs, it is stopped for that. True also if
 * there is no process. */
bool sched_gdb_detach(struct sched_gdb *g);
/* The process is about to be ended: it does not get the signal any more by which it has stopped. */
void sched_gdb_owe_nothing(struct sched_gdb *g);
/* 0: none. */
pid_t sched_gdb_process(const struct sched_gdb *g);
bool sched_gdb_is_stopped(const struct sched_gdb *g);

/* ---- moves ---- */

enum sched_gdb_move {
    SCHED_GDB_CONTINUE,
    SCHED_GDB_STEP,        /* to another line, also of a function that is called, but not of MPI or isp */
    SCHED_GDB_NEXT,        /* to another line of this function, or where it returns */
    SCHED_GDB_INSTRUCTION, /* one instruction of the program's own */
    SCHED_GDB_FINISH,      /* where this function returns */
    SCHED_GDB_UNTIL,       /* as NEXT, but not back in a loop; or to a place: FILE:LINE, FUNCTION ... */
};

/* Begins the move, from where the rank stands; true: it runs. Then on_stop comes once. Moves are those of the
 * thread that has stopped, or that sched_gdb_choose_thread has chosen; the others run meanwhile. `place` is
 * for UNTIL only; NULL: none. */
bool sched_gdb_move(struct sched_gdb *g, enum sched_gdb_move move, const char *place);
/* Asks it to stop; on_stop says when it has. True also if it is stopped already (no on_stop then). No other
 * process gets a signal. */
bool sched_gdb_interrupt(struct sched_gdb *g);
/* Turns the loop until it is stopped or gone; false: not within this time, or interrupted. 0: no limit. */
bool sched_gdb_await_stop(struct sched_gdb *g, double seconds);
/* The last stop; texts are good until the next move. NULL: it runs, or there is none. */
const struct sched_gdb_stop *sched_gdb_last_stop(const struct sched_gdb *g);

/* ---- whatever else gdb can ---- */

/* A command of gdb's own; what it prints, which the caller frees. One that lets the process run returns when
 * it does, with what was printed by then. */
char *sched_gdb_console(struct sched_gdb *g, const char *command);
/* How gdb would complete such a line, as the frame sees it: whole lines, *n of them. NULL: there is none.
 * Caller frees each, and the array. */
char **sched_gdb_complete(struct sched_gdb *g, int level, const char *line, size_t *n);

#endif
