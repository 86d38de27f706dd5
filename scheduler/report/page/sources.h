/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source that the page shows: files that the trace names as places of calls, as they are now, from the
 * working directory. A trace may come from somebody else: so only files that are named like source code are
 * read, only regular ones, and only text.
 */
#ifndef SCHED_REPORT_PAGE_SOURCES_H
#define SCHED_REPORT_PAGE_SOURCES_H

#include <jansson.h>
#include <stdint.h>

struct sched_page_sources;

struct sched_page_sources *sched_page_sources_create(void);
void sched_page_sources_destroy(struct sched_page_sources *sources);
/* A place that the page shows; file may be NULL. */
void sched_page_sources_note(struct sched_page_sources *sources, const char *file, int64_t line);
/* `{file: [[first line, text], ...]}`, those first that were noted first, until they are too much: whole
 * files if they are short, else what is around the lines. */
json_t *sched_page_sources_read(struct sched_page_sources *sources);

#endif
