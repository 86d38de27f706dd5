/* SPDX-License-Identifier: BSD-3-Clause */
/* The report that people read: one verdict line, then each finding with its story. */
#ifndef SCHED_REPORT_TEXT_H
#define SCHED_REPORT_TEXT_H

#include <stdio.h>

#include "explore/result.h"

/* Colours are used only if `out` is a terminal and neither NO_COLOR nor TERM=dumb forbids it.
 * Whatever comes from the program (names, texts) is printed with control characters escaped. */
void sched_report_text(const struct sched_result *result, FILE *out);

#endif
