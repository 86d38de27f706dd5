/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables and views of a trace (docs/trace.md), as SQL. */
#ifndef SCHED_TRACE_SCHEMA_H
#define SCHED_TRACE_SCHEMA_H

/* PRAGMA application_id and user_version of every trace. The version is raised when a view of docs/trace.md
 * changes its meaning or goes away. */
#define SCHED_TRACE_APPLICATION 0x49535054
#define SCHED_TRACE_VERSION 3
/* Older ones that can be read: 1 had no runs that are merged, 2 did not say what each run has shown. */
#define SCHED_TRACE_VERSION_LEAST 1

enum sched_table {
    SCHED_TABLE_META,
    SCHED_TABLE_SITE,
    SCHED_TABLE_KIND,
    SCHED_TABLE_CALL,
    SCHED_TABLE_MATCH,
    SCHED_TABLE_MEMBER,
    SCHED_TABLE_ANSWER,
    SCHED_TABLE_COMMUNICATOR,
    SCHED_TABLE_NODE,
    SCHED_TABLE_CHOICE,
    SCHED_TABLE_ALTERNATIVE,
    SCHED_TABLE_INTERLEAVING,
    SCHED_TABLE_WAITING,
    SCHED_TABLE_PRINTED,
    SCHED_TABLE_FINDING,
    SCHED_TABLE_FINDING_RANK,
    SCHED_TABLE_FINDING_SITE,
    SCHED_TABLE_JOINED, /* since version 2 */
    SCHED_TABLE_SHOWN,  /* since version 3 */
    SCHED_TABLE_SHOWN_KEY,
    SCHED_TABLES,
};

/* Their names. */
extern const char *const sched_trace_tables[SCHED_TABLES];
extern const char sched_trace_schema[];
/* Made when all rows are there: it is faster. */
extern const char sched_trace_views[];

#endif
