/* SPDX-License-Identifier: BSD-3-Clause */
/* The report that programs read: one JSON object, documented in docs/result.md. All other reports are made from it. */
#ifndef SCHED_REPORT_JSON_H
#define SCHED_REPORT_JSON_H

#include <jansson.h>

#include "outputs.h"
#include "result.h"

json_t *sched_result_json(const struct sched_result *result);
bool sched_report_json(const struct sched_report *report, FILE *out);

#endif
