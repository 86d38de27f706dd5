/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder know of a gdb. */
#ifndef SCHED_GDB_SESSION_H
#define SCHED_GDB_SESSION_H

#include <event2/bufferevent.h>
#include <stdint.h>

#include "gdb.h"
#include "mi.h"
#include "modules.h"

/* Of a command that was sent; `r` is NULL if gdb has died. */
typedef void sched_gdb_on_reply(struct sched_gdb *g, const struct sched_mi_record *r, void *context);

struct sched_gdb_waiting {
    long token;
    sched_gdb_on_reply *on_reply; /* NULL: nobody waits any longer */
    void *context;
};

/* A move that is under way: move.c. */
struct sched_gdb_moving {
    enum sched_gdb_move move;
    char *place; /* of UNTIL: the command, in quotes */
    enum { MOVING, LEAVING, LEAVING_FIRST, PASSING } phase;
    size_t from_outermost; /* the frame where it began: how many it has around it; 0: not known */
    char *function;        /* its name */
    int line;
    int passing;   /* the breakpoint at the instruction of a signal; 0: none */
    bool finished; /* what it is for is done, but for leaving */
};

struct sched_gdb {
    struct sched_gdb_host host;
    pid_t pid;
    struct bufferevent *stream;
    long token;
    struct sched_gdb_waiting *waiting;
    size_t n_waiting;
    char *error;
    bool is_dying; /* no word about that */

    char *said; /* what gdb prints for a user, while somebody wants it (sched_gdb_console) */
    size_t n_said;
    bool listens;

    pid_t process;
    enum { NO_PROCESS, ATTACHING, STOPPED, RUNNING } state;
    int thread;
    bool asked_to_stop;
    bool owes_trap; /* the program has sent itself a SIGTRAP, which gdb never passes by itself */
    struct sched_gdb_moving moving;
    json_t *stop_values; /* of the last stop; its texts */
    json_t *stop_start;  /* of a FINISH: its value, while what is around it is left */
    struct sched_gdb_stop stop;

    struct sched_modules modules; /* of the process, when it last stopped */
    bool modules_known;
    bool shares_symbols;
    int *watchpoints;
    size_t n_watchpoints;
    char **handles; /* variable objects that gdb has for us */
    size_t n_handles;
};

/* ---- commands: command.c ---- */

/* Of gdb's output, a line each. */
void sched_gdb_on_stream(struct bufferevent *stream, void *context);
void sched_gdb_on_end(struct bufferevent *stream, short what, void *context);

__attribute__((format(printf, 4, 5))) void sched_gdb_send(struct sched_gdb *g, sched_gdb_on_reply *on_reply,
                                                          void *context, const char *format, ...);
/* Sends a command, and waits for its reply: the values, which the caller lets go, or NULL. */
__attribute__((format(printf, 2, 3))) json_t *sched_gdb_call(struct sched_gdb *g, const char *format, ...);
/* The same, of which the values do not matter. */
#define sched_gdb_do(g, ...) sched_gdb_let_go(sched_gdb_call(g, __VA_ARGS__))
static inline bool sched_gdb_let_go(json_t *values)
{
    json_decref(values);
    return values != NULL;
}
__attribute__((format(printf, 2, 3))) void sched_gdb_fail(struct sched_gdb *g, const char *format, ...);
/* Turns the loop until it is true. False: time is over (0: no limit), or interrupted; sched_gdb_error says
 * it. */
bool sched_gdb_turn(struct sched_gdb *g, bool (*is_true)(struct sched_gdb *g, void *context), void *context,
                    double seconds);
/* False, with an error: there is no process, or it runs. */
bool sched_gdb_needs_stopped(struct sched_gdb *g);
/* gdb has died, or is to. */
void sched_gdb_end(struct sched_gdb *g, const char *why);

/* ---- moves: move.c ---- */

void sched_gdb_on_stopped(struct sched_gdb *g, json_t *values);
/* The process has got away by a command on gdb's console. */
void sched_gdb_on_process_gone(struct sched_gdb *g);
/* Tells it. */
void sched_gdb_tell_stop(struct sched_gdb *g, enum sched_gdb_reason reason);
/* What was known of the memory and the frames is so no more. */
void sched_gdb_forget(struct sched_gdb *g);

/* ---- frames: frames.c ---- */

/* Which of gdb's frames is the one where the rank stands; -1: none. */
int sched_gdb_standing(struct sched_gdb *g, const json_t *stack);
const struct sched_modules *sched_gdb_modules(struct sched_gdb *g);

/* ---- shared_symbols.c ---- */

/* What was read of the libraries of the present process stays known for the next one. */
void sched_gdb_share_symbols(struct sched_gdb *g);

/* ---- breakpoints.c ---- */

/* Of another process: its libraries may be others. */
void sched_gdb_breakpoints_again(struct sched_gdb *g);

#endif
