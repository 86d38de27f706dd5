/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of run/options.def, as the command line and the environment are read by them. */
#ifndef SCHED_SETTINGS_H
#define SCHED_SETTINGS_H

#include "run/options.h"

/* Commands that run a program; a setting belongs to some of them. */
enum sched_command { SCHED_ISP = 1, SCHED_REPLAY = 2 };

/* How the value is read: by the type of its field. */
enum sched_kind {
    SCHED_OWN,     /* by .set */
    SCHED_FLAG,    /* bool */
    SCHED_WHOLE,   /* int, unsigned, and enums, which have words */
    SCHED_COUNT,   /* uint64_t */
    SCHED_SECONDS, /* double */
    SCHED_TEXT,    /* const char * */
    SCHED_ACTION,  /* it has no field: .set does it at once */
};

enum { SCHED_SETTINGS_MAX = 64, SCHED_WORDS_MAX = 4 };

struct sched_setting {
    unsigned commands;
    const char *option, *letter; /* --buffering; -n, or NULL */
    const char *value;           /* what the manual calls its value; NULL: it takes none */
    enum sched_kind kind;
    size_t field;                       /* in struct sched_options */
    const char *variable;               /* NULL: ISP_ and its name */
    long min, max;                      /* of numbers; max 0: what the type holds */
    const char *words[SCHED_WORDS_MAX]; /* all values, in the order of the enum; with .set some of them */
    const char *wants;                  /* what a value is; NULL: what follows from the above */
    const char *instead;                /* it means this option with the value 0 */
    bool (*set)(struct sched_options *options, const char *text); /* false: this is no value of it */
    const char *joint; /* of what may be given several times: what stands between two values; else NULL */
    bool fixed;        /* it changes what runs do, or which there are: --resume must have it as it was */
    bool once;         /* it is about this invocation alone: --save does not keep it */
    struct {
        int group;        /* 1 to 9: lines of a group stand together, in the order of the table */
        const char *text; /* NULL: none; if it begins with a dash, all of the line */
    } help;               /* its line of --help */
};

extern const struct sched_setting sched_settings[];
extern const int sched_n_settings;

/* NULL: there is none. */
const struct sched_setting *sched_setting_of(const char *option);
/* As messages and saved files call it: -n, --buffering. */
const char *sched_setting_name(const struct sched_setting *setting);
/* ISP_BUFFERING. Caller frees. */
char *sched_setting_variable(const struct sched_setting *setting);

/* One line on stderr that says what to do, and the end. */
__attribute__((noreturn, format(printf, 1, 2))) void sched_refuse(const char *format, ...);

#endif
