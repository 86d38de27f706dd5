/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line and the environment, parsed once (options/parse.h); everything else reads this. */
#ifndef SCHED_OPTIONS_H
#define SCHED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/settings.h"
#include "isp/verdict.h"
#include "formats.h"

enum { SCHED_RANKS_MAX = 4096 };

/* An option that was given, on the command line or in the environment. */
struct sched_given {
    const char *option, *text;
    struct sched_given *next;
};

struct poe_name;

struct sched_options {
    int ranks;
    enum isp_buffering buffering;
    unsigned polls;                          /* --polls K, default 1 */
    unsigned livelock_rounds;                /* --livelock-rounds, default 5000 */
    double timeout_s;                        /* --timeout: a rank without MPI call; default 60, 0: none */
    double max_time_s;                       /* --max-time: no further interleaving after so long; default 0:
                                                none */
    uint64_t max_interleavings;              /* --max-interleavings: 0: no bound */
    bool stop_at_first;                      /* --stop-at-first */
    int mix;                                 /* --mix K, or -1 */
    uint64_t sample, seed;                   /* --sample N: 0: depth first; --seed S, default 1 */
    char **loops;                            /* --loop: names of functions, NULL at the end; or NULL */
    enum isp_on_error on_error;              /* --on-error=stop|continue, default stop */
    enum isp_memory memory;                  /* --memory=off|checksum|watch, default checksum */
    bool stacks;                             /* --stacks: call sites with their callers */
    bool unchecked;                          /* --checks=off */
    unsigned checkpoints;                    /* --checkpoints N, default 16; --no-checkpoints and
                                                --output=all: 0 */
    unsigned threads;                        /* --threads: OpenMP; 0: automatic */
    const char *tcp;                         /* --tcp HOST:PORT, or NULL: a private Unix socket */
    const char *mpiexec;                     /* --mpiexec CMD (words), default "mpiexec" */
    const char *reports[SCHED_FORMATS];      /* --json FILE ...: NULL, or a file; "-" is stdout */
    const char *trace;                       /* --trace FILE or NULL */
    struct sched_suppressions *suppressions; /* of all --suppressions files; NULL: none */
    bool gen_suppressions;                   /* --gen-suppressions */
    const char *output;   /* --output=first|all|none: whose program output is shown; default first */
    int verbose;          /* -v, -v -v */
    bool quiet;           /* -q: findings only */
    int error_exitcode;   /* --error-exitcode, default 1 */
    unsigned workers;     /* -j: processes that explore at the same time */
    const char *save;     /* --save FILE; --resume goes on saving to its file */
    const char *resume;   /* --resume FILE */
    struct json_t *saved; /* ... and what is in it */
    struct sched_given *given;
    const char *slurm;     /* --slurm: sbatch's options; NULL: without Slurm */
    bool slurm_task;       /* --slurm-task (parallel/slurm.h) */
    bool replay;           /* isp replay */
    bool mixed;            /* --buffered was given: */
    struct poe_name *kept; /* ... MPI buffers these (poe/kept.h), and no others */
    size_t n_kept;
    unsigned *choices; /* --choices, parsed */
    int n_choices;
    double begun_s;      /* not an option: when --max-time began to count; 0: when the exploration begins */
    bool again;          /* not an option: it was begun before, with checkpoints (parallel/search.h) */
    char **words;        /* all of the command line; NULL: there is none */
    char **resumed;      /* the words of the command, if they are those of --resume; else NULL */
    char **command;      /* program and arguments, NULL-terminated; command[0] as given */
    const char *program; /* the path that will be executed */
};

#endif
