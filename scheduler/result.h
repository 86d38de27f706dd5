/* SPDX-License-Identifier: BSD-3-Clause */
/* What an exploration came to: all that the reports print. */
#ifndef SCHED_RESULT_H
#define SCHED_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "findings.h"
#include "options.h"
#include "sites.h"

struct sched_result {
    const struct sched_options *options;
    struct sched_sites *sites;
    struct sched_findings *findings;
    bool unsupported;              /* an MPI call that isp cannot model was met */
    char *incomplete_because;      /* NULL: every interleaving was explored */
    uint64_t interleavings;        /* of the main exploration (zero buffering, unless --buffering=infinite) */
    uint64_t deadlocked_interleavings;
    uint64_t redundant_runs;       /* `later` branches that brought nothing new; not counted above */
    bool buffered_too;             /* auto: the program was also explored with buffering */
    uint64_t buffered_interleavings;
    uint64_t choice_points;        /* decisions with more than one alternative, over all interleavings */
    uint64_t calls;                /* transitions of all ranks, over all runs */
    double seconds;
};

#endif
