/* SPDX-License-Identifier: BSD-3-Clause */
/* What the exploration says in one word, and the exit code that goes with it. */
#ifndef SCHED_REPORT_VERDICT_H
#define SCHED_REPORT_VERDICT_H

#include <stddef.h>

#include "explore/result.h"

enum sched_verdict {
    SCHED_VERDICT_CLEAN,
    SCHED_VERDICT_FINDINGS,
    SCHED_VERDICT_INCOMPLETE,
    SCHED_VERDICT_UNSUPPORTED,
};

/* unsupported before findings before incomplete before clean. */
enum sched_verdict sched_verdict(const struct sched_result *result);
const char *sched_verdict_name(enum sched_verdict verdict);
/* 1 (or --error-exitcode) if there is an error or a warning (--fail-on) other than `unsupported`, else 3 if
 * incomplete or unsupported, else 0. */
int sched_exit_code(const struct sched_result *result);

/* Findings of one severity. `unsupported` is a verdict and is not counted as an error. */
size_t sched_verdict_count(const struct sched_result *result, enum isp_severity severity);

#endif
