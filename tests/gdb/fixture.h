/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that runs and a gdb for it, for the tests. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <event2/event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "gdb/breakpoints.h"
#include "gdb/frames.h"
#include "gdb/gdb.h"
#include "gdb/values.h"

struct fixture {
    const char *program, *source; /* the program, and the file of its lines */
    struct event_base *base;
    struct sched_gdb *gdb;
    pid_t pid;
    int input; /* what the program reads */
    unsigned stops;
    struct sched_gdb_stop stop; /* the last one, of which these texts are copies */
    char signal[64], before[64], now[64], returned[64];
};

/* Where the programs are, and their sources. */
extern const char *fixture_programs, *fixture_sources;
/* Takes these from the command line; without gdb the tests end here, as skipped. */
void fixture_begin(int argc, char **argv);

void fixture_init(struct fixture *f, const char *program, const char *source);
void fixture_finish(struct fixture *f);
/* Starts the program; gives it a number to read; waits for its end. */
void fixture_run(struct fixture *f);
void fixture_give(const struct fixture *f, int number);
int fixture_reap(struct fixture *f);
/* As root only with CAP_SYS_PTRACE, and so on: whether a process may be attached to at all. */
void fixture_attach(struct fixture *f);

/* The line of the source with "@word". */
int fixture_line(const struct fixture *f, const char *word);
/* "plain.c:LINE" of it; in static memory. */
const char *fixture_place(const struct fixture *f, const char *word);

/* Waits until the process is in a read. */
void fixture_await_read(const struct fixture *f);
/* Makes the move, and waits for its end. */
void fixture_move(struct fixture *f, enum sched_gdb_move move, const char *place);
/* The rank stands there, in this function, at this call (NULL: none). */
void fixture_stands(struct fixture *f, const char *function, const char *word, const char *call);
void fixture_stopped(const struct fixture *f, enum sched_gdb_reason reason);

#define assert_done(f, expression)                                      \
    do {                                                                \
        if (!(expression))                                              \
            fail_msg("%s: %s", #expression, sched_gdb_error((f)->gdb)); \
    } while (0)

#endif
