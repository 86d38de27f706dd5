/* SPDX-License-Identifier: BSD-3-Clause */
/* The report that programs read: one JSON object, documented in docs/result.md. All other reports are made
 * from it. */
#ifndef SCHED_REPORT_JSON_H
#define SCHED_REPORT_JSON_H

#include <jansson.h>

#include "outputs.h"
#include "explore/result.h"

/* A string or null. Bytes that are not UTF-8 are escaped: JSON cannot hold them. */
json_t *sched_json_text(const char *raw);
/* Of a finding's site, as the result has it: the place that is its headline. NULL of NULL. */
const json_t *sched_json_headline(const json_t *site);
json_t *sched_result_json(const struct sched_result *result);
bool sched_report_json(const struct sched_report *report, FILE *out);

#endif
