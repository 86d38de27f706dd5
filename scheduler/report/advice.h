/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user can do about an exploration that was cut short. */
#ifndef SCHED_REPORT_ADVICE_H
#define SCHED_REPORT_ADVICE_H

#include <stdbool.h>

#include "explore/result.h"

/* What multiplies the interleavings of a search that was cut short, and what would help. */
struct sched_most {
    const struct sched_order *order;
    double factor,
        of;       /* how many times more there are because of it; how many there are, within the bounds */
    char *option; /* that would leave `leaves`; NULL: none leaves fewer than half */
    double leaves;
    bool at_most; /* ... or fewer */
};

/* False: the search was not cut short, or nothing is known. */
bool sched_most_find(const struct sched_result *result, struct sched_most *most);
void sched_most_finish(struct sched_most *most);
/* One line; the caller frees it. */
char *sched_most_words(const struct sched_result *result, const struct sched_most *most);

/* One line, to be freed, or NULL. */
char *sched_advice(const struct sched_result *result);

#endif
