/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of settings: the option of each, its environment variable, and how its value is read. */
#ifndef SCHED_SETTINGS_H
#define SCHED_SETTINGS_H

#include "run/options.h"

/* What getopt calls them; -n, -j, -v and -q have their letters. */
enum {
    KEY_BUFFERING = 256,
    KEY_POLLS,
    KEY_ROUNDS,
    KEY_TIMEOUT,
    KEY_MAX_TIME,
    KEY_INTERLEAVINGS,
    KEY_FIRST,
    KEY_MIX,
    KEY_LOOP,
    KEY_SAMPLE,
    KEY_SEED,
    KEY_TCP,
    KEY_MPIEXEC,
    KEY_THREADS,
    KEY_TRACE,
    KEY_ON_ERROR,
    KEY_MEMORY,
    KEY_STACKS,
    KEY_CHECKS,
    KEY_SUPPRESSIONS,
    KEY_GENERATE,
    KEY_EXPLAIN,
    KEY_OUTPUT,
    KEY_CHOICES,
    KEY_BUFFERED,
    KEY_EXITCODE,
    KEY_HELP,
    KEY_VERSION,
    KEY_SAVE,
    KEY_RESUME,
    KEY_SLURM,
    KEY_TASK,
    KEY_CHECKPOINTS,
    KEY_NO_CHECKPOINTS,
    KEY_REPORTS
}; /* ... and from here on those of reports, in the order of enum sched_format */

struct sched_setting {
    int key;
    const char *option, *variable;
    bool (*set)(struct sched_options *options, const char *text); /* false: this is no value of it */
    const char *wants;                                            /* what is one */
};

enum { SCHED_SETTINGS_MAX = 64 };

extern const struct sched_setting sched_settings[];
extern const int sched_n_settings;

/* NULL: there is none. */
const struct sched_setting *sched_setting_of(int key);
/* It means something to isp replay. */
bool sched_setting_is_for_replay(const struct sched_setting *setting);
bool sched_setting_is_only_for_replay(const struct sched_setting *setting);
/* It changes what runs do, or which there are. */
bool sched_setting_matters(const struct sched_setting *setting);

/* One line on stderr that says what to do, and the end. */
__attribute__((noreturn, format(printf, 1, 2))) void sched_refuse(const char *format, ...);

#endif
