/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's standard input: every world gets the same bytes. A regular file is opened anew for each; what
 * comes through a pipe is kept as it comes, and each world is given it from its beginning. A terminal is read
 * for a replay only, which is one run: else the ranks get /dev/null.
 */
#ifndef SCHED_INPUT_H
#define SCHED_INPUT_H

#include <event2/event.h>

/* Looks at isp's stdin; once, before anything reads it. */
void sched_input_remember(void);

/* For a replay: a terminal is read, as long as this process is in its foreground. */
void sched_input_take_terminal(void);

/* In a new process: from now on standard input is what comes from fd, from its beginning. Takes fd over. */
void sched_input_replace(int fd);

struct sched_input;

/* One world's input. Sets *fd to what the launcher is to have as stdin (the caller closes it once that has
 * it), or to -1. NULL: nothing has to be fed. */
struct sched_input *sched_input_create(struct event_base *base, int *fd);
void sched_input_destroy(struct sched_input *input);

#endif
