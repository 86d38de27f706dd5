/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last line of a terminal, which isp writes anew as it gets on. Whoever else writes to the terminal takes
 * it away before, so that nothing sticks to it: sched_say, and what passes on what the program prints.
 */
#ifndef SCHED_STATUS_LINE_H
#define SCHED_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* on: stderr is a terminal that can rewrite a line, and lines are wanted. */
void sched_status_line_begin(bool on);
bool sched_status_line_is_on(void);
/* In another process of isp's, on the same terminal: it does not know whether there is a line, so it takes
 * one away in any case. */
void sched_status_line_share(void);

/* No longer than the terminal is wide. Not where the program has just begun a line of its own. */
void sched_status_line_show(const char *text);
/* Before anything is written to the terminal. */
void sched_status_line_hide(void);
/* Something of the program's, to isp's stdout or stderr (fd). */
void sched_status_line_passes(int fd, const char *bytes, size_t n);

#endif
