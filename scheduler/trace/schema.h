/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables and views of a trace (docs/trace.md), as SQL. */
#ifndef SCHED_TRACE_SCHEMA_H
#define SCHED_TRACE_SCHEMA_H

/* PRAGMA application_id and user_version of every trace. The version is raised when a view of docs/trace.md changes its meaning or goes away. */
#define SCHED_TRACE_APPLICATION 0x49535054
#define SCHED_TRACE_VERSION 1

extern const char sched_trace_schema[];
/* Made when all rows are there: it is faster. */
extern const char sched_trace_views[];

#endif
