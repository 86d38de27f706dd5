/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that comes from the program (names, paths, messages) must not be able to steer a terminal, fake a
 * line of the report or make its JSON invalid. */
#ifndef SCHED_ESCAPE_H
#define SCHED_ESCAPE_H

/* A copy in which control characters and bytes that are not UTF-8 are written as \xNN. `keep`: control
 * characters that stay as they are ("" or "\n"). Caller frees. */
char *sched_escape(const char *text, const char *keep);
/* The same with SCHED_ESCAPE_MASK for each such byte. Caller frees. */
#define SCHED_ESCAPE_MASK '\x01'
char *sched_escape_mask(const char *text);

#endif
