/* SPDX-License-Identifier: BSD-3-Clause */
/* What an exploration came to: all that the reports print. */
#ifndef SCHED_RESULT_H
#define SCHED_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "assumptions.h"
#include "base/count.h"
#include "check/barriers.h"
#include "findings/findings.h"
#include "findings/moment.h"
#include "orders.h"
#include "unmerged.h"
#include "world/leftovers.h"
#include "run/options.h"
#include "sites/sites.h"

/* Why a replay that came to its end is not complete. */
#define SCHED_REPLAY_IS_ONE "a replay runs one interleaving"

/* The bound that ended the search. */
enum sched_stop {
    SCHED_STOP_NONE,
    SCHED_STOP_TIME,          /* --max-time */
    SCHED_STOP_INTERLEAVINGS, /* --max-interleavings */
    SCHED_STOP_FIRST,         /* --stop-at-first */
    SCHED_STOP_SAMPLE,        /* --sample */
    SCHED_STOP_SAME,          /* all interleavings end alike (same_end.h) */
};

/* What the bounds have left out: choice points whose other alternatives no run took. */
struct sched_left_out {
    enum sched_stop stop;
    uint64_t open;   /* of the frontier when the search was ended */
    uint64_t mixing; /* by --mix */
    uint64_t loops;  /* in loops */
    bool buffered;   /* the exploration with buffered sends, that is needed, was not begun */
};

/* What the calls of the first run say of all others (predicted.h). */
struct sched_prediction {
    bool none;       /* no order of these calls ends in a deadlock */
    bool vary;       /* not every run made the same calls */
    uint64_t digest; /* of the calls of a run; 0: of none yet */
};

struct sched_result {
    const struct sched_options *options;
    struct sched_sites *sites;
    struct sched_findings *findings;
    bool unsupported;         /* an MPI call that isp cannot model was met */
    char *incomplete_because; /* NULL: every interleaving was explored */
    uint64_t interleavings;   /* of the main exploration (zero buffering, unless --buffering=infinite) */
    uint64_t deadlocked_interleavings;
    /* Runs to their ends or to where a state is known; of them these latter, which stand for as many
     * interleavings as are counted above, and below, beyond that. */
    uint64_t runs, merged_runs;
    uint64_t states;           /* that were kept */
    struct sched_aparts apart; /* what has kept states apart (-v) */
    uint64_t redundant_runs;   /* `later` branches that brought nothing new; not counted above */
    bool buffered_too;         /* auto: the program was also explored with buffering */
    uint64_t buffered_interleavings;
    struct sched_left_out left_out;
    struct sched_findings
        *predicted; /* what only runs have shown that were led to it (predicted.h); or NULL */
    struct sched_prediction prediction;
    double estimate;          /* interleavings in all, as expected; 0: those that were explored */
    double buffered_estimate; /* likewise with buffered sends */
    struct sched_orders orders, buffered_orders; /* what multiplies them */
    const char *unmet_loop;                      /* a function of --loop in which no choice lay */
    struct sched_assumptions assumes;
    uint64_t choice_points; /* decisions with more than one alternative, over all interleavings */
    uint64_t calls;         /* transitions of all ranks, over all runs */
    double seconds;
    unsigned more_polls;       /* so many were tried as well, in vain (more_polls.h); 0: no more */
    bool unsaved;              /* --save: the last state could not be written, which was said */
    struct sched_trace *trace; /* that is being written, or NULL */

    /* What the search itself must know of the runs that were made (part.h). */
    bool buffering_matters; /* some run without buffered sends showed that they could change what matches */
    char *unshown_death;    /* who died in a run that counts for nothing, and whose decisions were not made
                               again; or NULL */
    bool early;             /* some run was decided while a rank called nothing (world.h) ... */
    bool differs;           /* ... and some run was not as those before */
    unsigned hangs;
    uint64_t jobs, buffered_jobs;      /* that were begun */
    double leaves, buffered_leaves;    /* of what was explored: for the estimates */
    uint64_t loops_met;                /* sched_loops_met */
    struct sched_moment incomplete_in; /* the run that incomplete_because is of; its interleaving is owned */
    struct sched_barriers barriers;
    struct sched_leftovers *leftovers;
    struct sched_unsafe_verdict *verdicts, *judged; /* judged: in the present run, or NULL */
};

/* Of both explorations. */
static inline uint64_t sched_result_interleavings(const struct sched_result *r)
{
    return sched_count_sum(r->interleavings, r->buffered_interleavings);
}

/* The search has not come to its end, no run has shown a deadlock, and none is possible in any order of the
 * calls that all runs have made. */
static inline bool sched_result_predicts_none(const struct sched_result *r)
{
    return r->incomplete_because && !r->unsupported && !r->deadlocked_interleavings && r->prediction.none &&
           !r->prediction.vary;
}

/* A run of the search has made these calls. */
static inline void sched_prediction_take(struct sched_prediction *p, uint64_t digest)
{
    p->vary |= p->digest && p->digest != digest;
    p->digest = digest;
}

/* The exploration without buffered sends is over: whether there must be one with them, and has not begun. */
static inline bool sched_result_goes_on(const struct sched_result *r)
{
    return r->options->buffering == ISP_BUFFERING_AUTO && r->buffering_matters && !r->buffered_too;
}

#endif
