/* SPDX-License-Identifier: BSD-3-Clause */
/* Something wrong that a run showed. */
#ifndef SCHED_FINDING_H
#define SCHED_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fate.h"
#include "rule.h"

struct sched_site_ref {
    int rank;      /* -1: the site concerns several ranks */
    uint16_t fn;   /* enum isp_fn, 0 if it is not an MPI call */
    uint32_t site; /* sched_sites number */
};

struct sched_finding {
    enum isp_rule rule;
    char *message;      /* one line, without the file:line prefix and the rule */
    char *story;        /* further lines, each ended by \n; may be empty */
    char *interleaving; /* name of the first that showed it */
    bool buffered;      /* it was found with buffering=infinite (part of the replay command) */
    bool predicted;     /* that interleaving was run since it was predicted; it is none of those explored */
    int *ranks;         /* ascending */
    size_t n_ranks;
    struct sched_site_ref *sites; /* the first is where it is shown */
    size_t n_sites;
    uint64_t count;          /* interleavings that showed it (leaks: handles, of the first interleaving) */
    struct sched_fate *fate; /* NULL: not known */
    char *kept, *cut;        /* a deadlock of mixed buffering: what MPI buffers (words/buffered.h), and the
                                choices of the run that ends there; else NULL */
    char *cause;             /* as a key: findings of one rule that have the same end as one
                                (sched_findings_fold); NULL: it has none */
};

/* With strings and arrays of its own; message and story are at least empty. */
struct sched_finding sched_finding_copy(const struct sched_finding *finding);
/* At its place among the ranks, if it is not there. */
void sched_finding_add_rank(struct sched_finding *finding, int rank);
/* Frees what it holds. */
void sched_finding_finish(struct sched_finding *finding);

#endif
