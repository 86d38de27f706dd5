/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether states that come up again are to be found (explore/merge.h): then ranks are asked for their
 * states, and MPI's memory is kept apart in them. */
#ifndef SCHED_RUN_MERGES_H
#define SCHED_RUN_MERGES_H

#include <stdbool.h>

#include "options.h"

bool sched_run_merges(const struct sched_options *options);

#endif
