/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that isp can write about an exploration: one table says which. They are made from the result
 * (docs/result.md) and, some of them, from the trace, and from nothing else: so `isp report` can make them
 * from a trace file as well.
 */
#ifndef SCHED_REPORT_OUTPUTS_H
#define SCHED_REPORT_OUTPUTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "run/formats.h"

struct sqlite3;

struct sched_report {
    const json_t *result;
    struct sqlite3 *trace; /* NULL: there is none */
};

#define SCHED_FORMAT_WRITER(name, function, option, needs_trace) \
    bool sched_report_##function(const struct sched_report *report, FILE *out);
SCHED_FORMAT_LIST(SCHED_FORMAT_WRITER)
#undef SCHED_FORMAT_WRITER

struct sched_format_row {
    const char *option; /* --json */
    bool needs_trace;
    /* False if `out` does not take it; errno says why (EBADMSG: the trace is damaged). */
    bool (*write)(const struct sched_report *report, FILE *out);
};

extern const struct sched_format_row sched_formats[SCHED_FORMATS];

/* Whether one of these files (NULL: not wanted) needs a trace. */
bool sched_outputs_need_trace(const char *const files[SCHED_FORMATS]);
/* Writes to `file` ("-": stdout), which appears whole or not at all: it is written beside its place and
 * renamed, so that whoever waits for it never reads half of it. 0 or negative errno. */
int sched_output_write(const struct sched_report *report, enum sched_format format, const char *file);
/* Writes all that are wanted, without a trace those that need none; says on stderr which could not be. False
 * if there was such a one. */
bool sched_outputs_write(const struct sched_report *report, const char *const files[SCHED_FORMATS]);

#endif
