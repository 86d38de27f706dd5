/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands of `isp debug`, as a person types them or a script has them. A command is a row of a table
 * (commands.c): its name, how it is used, one line of help, and its function. Names may be cut short, as
 * gdb's may.
 *
 * "[0,2-3] next" is about these ranks, "[all] next" about all; without brackets a command is about the focus.
 */
#ifndef SCHED_DEBUG_CONSOLE_H
#define SCHED_DEBUG_CONSOLE_H

#include <stdio.h>

#include "debug/session.h"
#include "debug/why.h"

struct sched_stops;

struct sched_console {
    struct sched_session *session;
    const char *finding; /* the text of the finding that it is about; NULL: none */
    int decision;        /* its critical choice, by its number; -1: none is known */
    bool *set;           /* the ranks that the present command is about */
    bool set_given;      /* ... which it named */
    int *level;          /* of each rank: which of its frames is looked at */
    struct sched_stops *stops;
    struct sched_bytes bytes; /* that `why` goes on with; size 0: none */
    struct sched_why why;     /* its last answer */
    char **displays;          /* expressions that are shown at each stop */
    unsigned n_displays;
    bool colours, quit;
    unsigned failed; /* commands */
};

/* args: what follows the name, without spaces around it; never NULL. False: session->why says why. */
typedef bool sched_command(struct sched_console *console, const char *args);

struct sched_console_command {
    const char *name, *usage, *help;
    sched_command *run;
};

extern const struct sched_console_command sched_console_commands[];
/* The command of this name, or of this beginning of one only. NULL: session->why. */
const struct sched_console_command *sched_console_find(struct sched_console *console, const char *name);

/* Whether an empty line may repeat it. */
bool sched_console_moves(const struct sched_console_command *command);
/* What a line begins with, for whichever ranks; NULL: no command. */
const struct sched_console_command *sched_console_command_of(struct sched_console *console, const char *line);

/* One line: does it, and says on stdout what came of it. Empty: nothing. */
void sched_console_line(struct sched_console *console, const char *line);
/* Where one is at first. */
void sched_console_begin(struct sched_console *console);
/* Reads lines until the end of `in`, or `quit`. Where somebody types at a terminal: editing.h. */
void sched_console_read(struct sched_console *console, FILE *in);

void sched_console_init(struct sched_console *console, struct sched_session *session);
void sched_console_finish(struct sched_console *console);

/* Wherever a command has come to, that is where one is; ok: it has come there. */
bool sched_console_arrive(struct sched_console *console, bool ok);
/* Shows where the focus stands: its place, the line of source, what is displayed. */
void sched_console_show(struct sched_console *console);

#endif
