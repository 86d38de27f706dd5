/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace file of whatever origin, to be read. */
#ifndef SCHED_TRACE_OPEN_H
#define SCHED_TRACE_OPEN_H

#include <stdbool.h>

#include <jansson.h>

struct sqlite3;

/* NULL, and why in a few words (caller frees), if it is no trace, one of another version, cut off or damaged,
 * as far as one sees that without reading all of it; what is found later sched_query remembers. Close it with
 * sqlite3_close. */
struct sqlite3 *sched_trace_open(const char *file, char **why);
/* The two looks that this takes, for who attaches it to another database: NULL, or why (caller frees); and
 * then, whether there are tables where they should be, and nothing else in their place. */
char *sched_trace_refuse(const char *file);
bool sched_trace_has_tables(struct sqlite3 *trace, const char *schema, int version);
/* What stands in `meta`, or NULL. Caller frees. */
char *sched_trace_meta(struct sqlite3 *trace, const char *key);
/* The result, as --json would write it; NULL if it is none. */
json_t *sched_trace_result(struct sqlite3 *trace);

#endif
