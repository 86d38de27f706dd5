/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether ranks are asked for their states, so that equal ones can be merged. */
#ifndef SCHED_RUN_MERGES_H
#define SCHED_RUN_MERGES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct sched_options;

/* Until there is an option: for tests. */
static inline bool sched_run_merges(const struct sched_options *options)
{
    const char *text = getenv("ISP_MERGE");
    (void)options;
    return text && strcmp(text, "1") == 0;
}

#endif
