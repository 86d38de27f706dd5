/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to a finished trace. The file may come from anywhere: what cannot be answered ends the loop that
 * asks, and is remembered, so that a report says once, at its end, that the trace is damaged. */
#ifndef SCHED_TRACE_QUERY_H
#define SCHED_TRACE_QUERY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>
#include <sqlite3.h>

struct sched_asked {
    sqlite3 *trace;
    bool damaged;
};

/* Kept until it is finished with sqlite3_finalize. NULL if it cannot be asked. */
sqlite3_stmt *sched_query(struct sched_asked *asked, const char *sql);
/* Asks it (again) with these numbers for its parameters. */
void sched_query_begin(sqlite3_stmt *query, int n, const int64_t *values);
/* The next row. */
bool sched_query_next(struct sched_asked *asked, sqlite3_stmt *query);
/* A column; NULL is `otherwise`. */
int64_t sched_query_number(sqlite3_stmt *query, int column, int64_t otherwise);
/* A column as text, until the next row; or NULL. */
const char *sched_query_text(sqlite3_stmt *query, int column);
/* "3 5 -1": the next number of such a list, and where the rest begins. False: there is none. */
bool sched_query_list(const char **rest, int64_t *number);

/* The id of the interleaving with these choices, and, if `node` is not NULL, the node at its end; -1: the
 * trace does not have it. choices NULL: of the first one. One that is not redundant comes first. */
int64_t sched_query_interleaving(struct sched_asked *asked, const char *choices, bool buffered,
                                 int64_t *node);
/* The same of the one that a finding (as --json has it) names; -1, too, if it names none. */
int64_t sched_query_finding(struct sched_asked *asked, const json_t *finding, int64_t *node);
/* At the end of a report: whether it is all there. Sets errno to EBADMSG if the trace is damaged. */
bool sched_query_well(const struct sched_asked *asked, FILE *out);

/* No table has more rows than this, and no number in it that counts rows is larger, whatever it says. */
int64_t sched_query_most_rows(struct sched_asked *asked);

#endif
