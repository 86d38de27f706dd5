/* SPDX-License-Identifier: BSD-3-Clause */
/* The report that programs read: one JSON object, documented in docs/result.md. */
#ifndef SCHED_REPORT_JSON_H
#define SCHED_REPORT_JSON_H

#include "result.h"

/* Writes to `file` ("-": stdout), which appears whole or not at all. 0 or negative errno. */
int sched_report_json(const struct sched_result *result, const char *file);

#endif
