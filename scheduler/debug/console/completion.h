/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a line could go on: names of commands, ranks in brackets, words that a command takes; and what gdb
 * knows, functions, variables and files, if the focus has a gdb.
 */
#ifndef SCHED_DEBUG_COMPLETION_H
#define SCHED_DEBUG_COMPLETION_H

#include "console.h"

/* The line from `from` on could be each of these words, which all begin as it does there. */
struct sched_completion {
    size_t from;
    char **words;
    size_t n;
};

/* `line`: up to the cursor. */
struct sched_completion sched_complete(struct sched_console *console, const char *line);
void sched_completion_finish(struct sched_completion *k);
/* How many bytes all words begin with alike. */
size_t sched_completion_common(const struct sched_completion *k);

#endif
