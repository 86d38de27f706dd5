/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines that somebody has typed, kept over sessions: $XDG_STATE_HOME/isp/history, a line each, for nobody
 * else to read. What cannot be read or written is not kept, and nobody is told.
 */
#ifndef SCHED_DEBUG_TYPED_H
#define SCHED_DEBUG_TYPED_H

#include <stddef.h>

enum { SCHED_TYPED_MOST = 1000 };

/* The last ones, oldest first, without their ends. Caller frees each, and the array. */
char **sched_typed_load(size_t *n);
void sched_typed_add(const char *line);

#endif
