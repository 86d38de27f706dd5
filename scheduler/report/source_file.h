/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of source code, which a report shows or looks at. Their names come from debug information or from a
 * trace: from whoever made these. */
#ifndef SCHED_REPORT_SOURCE_FILE_H
#define SCHED_REPORT_SOURCE_FILE_H

#include <stdint.h>
#include <stdio.h>

/* A regular file for reading; NULL: it is none, or cannot be read. Never waits: a pipe or a terminal is
 * none. */
FILE *sched_source_file_open(const char *file);
/* For what comes from a trace, which a stranger may have made so that the report shows a file of yours: the
 * file itself, and not only a link to it, must be named like source code. */
FILE *sched_source_file_open_named(const char *file);
/* Line `line`, from 1, without its end; caller frees. NULL: it has none. Closes `in`, which may be NULL. */
char *sched_source_file_line(FILE *in, int64_t line);

#endif
