/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines that somebody types at a terminal: a prompt with the focus, editing and history by libedit,
 * completion. Ctrl-C clears the line, Ctrl-D leaves; an empty line repeats the last command that moved.
 */
#ifndef SCHED_DEBUG_EDITING_H
#define SCHED_DEBUG_EDITING_H

#include "console.h"

/* Reads and does lines until the end, or `quit`. `in` and stdout are terminals. */
void sched_editing_read(struct sched_console *console, FILE *in);

#endif
