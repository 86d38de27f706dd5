/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line and the environment, parsed once (options/parse.h); everything else reads this. */
#ifndef SCHED_OPTIONS_H
#define SCHED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/settings.h"
#include "isp/verdict.h"

enum { SCHED_RANKS_MAX = 4096 };

/* An option that was given, on the command line or in the environment. */
struct sched_given {
    const char *option;
    char *text;
    struct sched_given *next;
};

/* What makes the exit code that of findings, and whatever is worse. */
enum sched_fail_on { SCHED_FAIL_ON_WARNING, SCHED_FAIL_ON_ERROR };
enum sched_merging { SCHED_MERGE_AUTO, SCHED_MERGE_OFF };

struct poe_name;

/* The files that isp can write about an exploration. */
enum sched_format {
#define REPORT(commands, option, name, ...) SCHED_FORMAT_##name,
#include "options.def"
    SCHED_FORMATS,
};

/* One field for each OPTION of options.def, and what else is known from the command line. */
struct sched_options {
#define OPTION(commands, name, value, type, field, ...) type field;
#include "options.def"
    const char *reports[SCHED_FORMATS]; /* of each REPORT: NULL, or a file; "-" is stdout */
    bool mixed; /* --buffered was given: MPI buffers what is in `kept`, and no others */
    size_t n_kept;
    int n_choices;
    struct sched_given *given;
    struct json_t *saved; /* what is in the file of --resume */
    bool replay;          /* isp replay */
    double begun_s;       /* when --max-time began to count; 0: when the exploration begins */
    bool again;           /* it was begun before, otherwise (parallel/search.h) */
    char **words;         /* all of the command line; NULL: there is none */
    char **resumed;       /* the words of the command, if they are those of --resume; else NULL */
    char **command;       /* program and arguments, NULL-terminated; command[0] as given */
    const char *program;  /* the path that will be executed */
    const struct sched_mpi *other_mpi; /* what it was built with, if not with MPICH (launch/mpi.h) */
};

/* What holds if nothing is given. */
extern const struct sched_options sched_default_options;

#endif
