/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run, for whoever looks at it: what it is called, what is known of it, and where findings go. It is
 * filled by who makes the run (explore/run.h); words, checks, listeners and the trace are given it, and own
 * nothing of it.
 */
#ifndef SCHED_RUN_RUN_H
#define SCHED_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/settings.h"
#include "listener.h"

struct poe;
struct poe_name;
struct sched_findings;
struct sched_forced;
struct sched_options;
struct sched_path;
struct sched_signatures;
struct sched_sites;
struct sched_deeds;
struct sched_trace;

/* An operation that is still open at the end, and the call that put another request into its variable. */
struct sched_overwritten {
    int rank;
    uint32_t handle;
    uint16_t fn;
    uint32_t site;
};

struct sched_run {
    const struct sched_options *options;
    struct sched_sites *sites;
    struct sched_findings *findings;
    struct sched_signatures *signatures; /* NULL: ranks tell basic types only */
    struct poe *poe;
    const char *interleaving; /* its name as far as it went */
    bool buffered;            /* standard sends are buffered in this run */
    bool mixed;               /* ... but only these (poe/kept.h): */
    const struct poe_name *kept;
    size_t n_kept;
    bool record;                           /* its calls are recorded (poe/mixed.h) */
    bool stacks;                           /* call sites with their callers, as with --stacks */
    bool merge;                            /* its states are compared with others' (explore/merge.h) */
    bool ahead;                            /* its ranks go ahead (world/ahead.h) ... */
    bool eager;                            /* ... and MPI may buffer, though it is not buffered */
    const struct sched_forced *forced;     /* ... and begin with these outcomes */
    struct isp_watch_order watch;          /* what the ranks are to look for */
    struct sched_deeds *deeds;             /* what its ranks have done (check/deeds.h); NULL: nothing yet */
    struct sched_overwritten *overwritten; /* of the run that has just ended */
    size_t n_overwritten;
    int printed;                       /* SCHED_OUTPUT_KEEP: the file */
    const struct sched_printed *apart; /* SCHED_OUTPUT_APART: who is told */
    struct sched_trace *trace;         /* or NULL */
    struct sched_path *path;           /* or NULL */
    struct sched_listeners listeners;
    unsigned counted; /* so many choice points were noted before, by other runs or by this one, begun in
                         vain */
};

#endif
