/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of isp that stand behind the program, and so are the program's. */
#ifndef SCHED_MISPLACED_H
#define SCHED_MISPLACED_H

#include "run/options.h"

/* A note on stderr for those that the program does not seem to know. */
void sched_misplaced_tell(const struct sched_options *options);
/* The N of a -n N that stands there, or NULL. */
const char *sched_misplaced_ranks(char **command);

#endif
