/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical choice of a finding, for the reports: the last decision on the way to its first run of which
 * another alternative led to a run without it. */
#ifndef SCHED_REPORT_CRITICAL_H
#define SCHED_REPORT_CRITICAL_H

#include "explore/result.h"

struct sched_critical {
    unsigned decision; /* from 0: a place in the names of interleavings */
    const struct sched_path_choice *choice;
    char *taken, *alternative; /* sched_path_words */
    const char *interleaving;  /* without the finding */
};

/* False: there is none, or it is not known. Else sched_critical_finish frees it. */
bool sched_critical_find(const struct sched_result *result, const struct sched_finding *finding,
                         struct sched_critical *critical);
void sched_critical_finish(struct sched_critical *critical);
/* The finding's story, and the line about its critical choice. Caller frees. */
char *sched_critical_story(const struct sched_result *result, const struct sched_finding *finding);

#endif
