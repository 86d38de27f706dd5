/* SPDX-License-Identifier: BSD-3-Clause */
/* What the report says about suppressions: those that were used, and blocks for the findings that are
 * left. */
#ifndef SCHED_REPORT_SUPPRESSIONS_H
#define SCHED_REPORT_SUPPRESSIONS_H

#include <stdio.h>

#include "explore/result.h"

/* One line, with -v one more for each block; nothing if there are none. */
void sched_report_suppressions(const struct sched_result *result, FILE *out);
/* A whole suppression file that covers the findings (notes apart) of the result, each by a block of its
 * own. */
void sched_report_generated(const struct sched_result *result, FILE *out);

#endif
