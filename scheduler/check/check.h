/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks: what a run says about the program, as findings. Each is given the run, looks at
 * poe's values, and adds to run->findings; none of them decides how the exploration goes on.
 *
 * When to call what: sched_check_match for every POE_FIRED, sched_check_choice for every
 * POE_CHOICE (before poe_decide), sched_check_mismatch at POE_MISMATCH, sched_check_deadlock at
 * POE_DEADLOCK and POE_LIVELOCK, sched_check_end at POE_FINISHED.
 */
#ifndef SCHED_CHECK_H
#define SCHED_CHECK_H

#include <stdbool.h>

#include "findings/findings.h"
#include "isp/settings.h"
#include "options/options.h"
#include "poe/poe.h"
#include "signatures.h"
#include "sites/sites.h"

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
    bool record;              /* its calls are recorded (poe/mixed.h) */
    struct isp_watch_order watch; /* what the ranks are to look for */
    struct sched_taken *taken; /* what its wildcards took (check/taken.h); NULL: nothing yet */
    struct sched_overwritten *overwritten; /* of the run that has just ended */
    size_t n_overwritten;
    struct sched_trace *trace; /* or NULL */
    int printed;              /* SCHED_OUTPUT_KEEP: the file */
    struct sched_path *path;   /* or NULL */
    unsigned counted;         /* so many choice points were noted before, when this run was begun in vain */
};

/* poe is at POE_DEADLOCK or POE_LIVELOCK (`livelock`). rule: ISP_RULE_DEADLOCK,
 * ISP_RULE_UNSAFE_BUFFERING or ISP_RULE_LIVELOCK. Returns the new or the counted entry. */
struct sched_finding *sched_check_deadlock(struct sched_run *run, bool livelock, enum isp_rule rule);
/* What makes two such pictures the same: the call and site of every rank that has not finished. Not the
 * interleaving, and not the rule. Caller frees. */
char *sched_deadlock_key(struct sched_run *run);

/* A fired match set: truncation, types; root and reduction operation of a collective. False if its ranks must
 * not be released, since MPI itself may hang in it (different roots or sizes): then the run is over. */
bool sched_check_match(struct sched_run *run, const struct poe_fired *fired);
/* Whether a fired message fits its receive, in size and type: else MPI itself may complain. */
bool sched_check_fits(const struct sched_run *run, const struct poe_fired *fired);
/* POE_MISMATCH: the members called different collectives. */
void sched_check_mismatch(struct sched_run *run, const struct poe_fired *fired);
/* POE_FINISHED: messages that nobody received, operations that nobody waited for. */
void sched_check_end(struct sched_run *run);
/* A choice point: notes a wildcard with several alternatives. */
void sched_check_choice(struct sched_run *run, const struct poe_choice *choice);

#endif
