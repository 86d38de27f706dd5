/* SPDX-License-Identifier: BSD-3-Clause */
/* The smaller objects of SARIF: messages and locations; the calls before a finding; what a finding is known
 * again by. */
#ifndef SCHED_REPORT_SARIF_PARTS_H
#define SCHED_REPORT_SARIF_PARTS_H

#include <jansson.h>

#include "outputs.h"

/* The base of relative paths: isp's working directory. */
#define SCHED_SARIF_BASE "SRCROOT"

/* A URI reference of a path, percent-encoded: file:///... if it is absolute. Caller frees. */
char *sched_sarif_uri(const char *path);
/* A message object. All bytes are allowed in `text`. */
json_t *sched_sarif_message(const char *text);
/* A location object. What is not known is NULL or 0. */
json_t *sched_sarif_location(const char *file, json_int_t line, const char *function, const char *message);

/* Interleavings as code flows: for each rank its last calls. */
struct sched_sarif_flows *sched_sarif_flows_create(const struct sched_report *report);
/* False: the trace is damaged, and some are not as they were. */
bool sched_sarif_flows_destroy(struct sched_sarif_flows *flows);
/* That which showed the finding. NULL if the trace does not have it, or there is none. */
json_t *sched_sarif_flow(struct sched_sarif_flows *flows, const json_t *finding);

/* A line of a source file; NULL if it cannot be read. `folder`: where relative paths begin. Caller frees. */
char *sched_sarif_line(const char *folder, const char *file, json_int_t line);
/* For each finding of the result what stays the same when lines are put in or taken out elsewhere, or another
 * run finds it: a number of its rule, file name, function, MPI call and the text of its line, and which one
 * it is of those that are alike in that. Caller frees each, and the array. */
char **sched_sarif_fingerprints(const json_t *result);

#endif
