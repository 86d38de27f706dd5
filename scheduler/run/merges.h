/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether states that come up again are to be found (explore/merge.h): then ranks are asked for theirs. */
#ifndef SCHED_RUN_MERGES_H
#define SCHED_RUN_MERGES_H

#include <stdbool.h>

#include "options.h"

bool sched_run_merges(const struct sched_options *options);
/* ... and whether it is told what keeps them apart (explore/unmerged.h). */
bool sched_run_explains(const struct sched_options *options);
/* Whether MPI's memory is kept apart from the program's in the ranks: for that, and so that it can be told
 * whether a program that polls has changed anything, in a replay as in the search. */
bool sched_run_keeps_apart(const struct sched_options *options);

#endif
