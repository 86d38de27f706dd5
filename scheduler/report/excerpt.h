/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of the program's source that a finding is about, below its first line. */
#ifndef SCHED_REPORT_EXCERPT_H
#define SCHED_REPORT_EXCERPT_H

#include <stdio.h>

#include "explore/result.h"

/* Nothing, if the source cannot be read, or is newer than the program. columns: of the terminal; 0: it is
 * none. */
void sched_excerpt_put(const struct sched_result *result, const struct sched_finding *finding, int columns,
                       FILE *out);

#endif
