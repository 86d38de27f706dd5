/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses: a send and a receive that do not match, and look as if they should. */
#ifndef SCHED_CHECK_NEAR_H
#define SCHED_CHECK_NEAR_H

#include "check.h"

enum sched_difference {
    SCHED_OTHER_TAG = 1,
    SCHED_OTHER_COMM = 2,
    SCHED_OTHER_KIND = 4, /* one of the two is partitioned */
    SCHED_OTHER_SOURCE = 8,
    SCHED_OTHER_TARGET = 16
};

/* What is plausible only if it is so for all ranks that wait for each other. */
enum { SCHED_NEAR_WEAK = 1 };

struct sched_near_miss {
    const struct poe_transition *send, *receive;
    unsigned differs;
    int worth; /* the higher, the likelier that they should match; 0: there is none */
};

/* What comes nearest to this send, receive or probe. */
struct sched_near_miss sched_near_miss_find(struct sched_run *run, const struct poe_transition *blocked);

/* The receive that took what this one, or probe, waits for; NULL: none. exchange: had it taken what is there
 * now, both would have got theirs. */
const struct isp_call *sched_taken_by(struct sched_run *run, const struct poe_transition *blocked,
                                      bool *exchange);

/* Says for each of these sends, receives and probes, which hold their ranks, what comes nearest to it; a few
 * lines at most. */
void sched_near_misses_tell(struct sched_run *run, const struct poe_transition *const *blocked, size_t n,
                            struct sched_draft *draft);

/* What is nearly right with it, in a letter: in what the nearest differs, or that a wildcard took what it
 * waits for; not which ranks these are. '-': nothing. */
char sched_near_miss_kind(struct sched_run *run, const struct poe_transition *blocked);

#endif
