/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program has changed or touched in the buffer of a pending operation, in words: as its variable, if
 * debug information names it, else by the number and the type of the element. */
#ifndef SCHED_CHANGE_H
#define SCHED_CHANGE_H

#include "world/world.h"

/* ", at x[3]: 7 \u2192 9, and 2 more elements"; "" if nothing is known of it. Caller frees. */
char *sched_change_words(struct sched_world *world, const struct sched_told *told);

#endif
