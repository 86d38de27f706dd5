/* SPDX-License-Identifier: BSD-3-Clause */
/* The exploration: every interleaving that MPI allows, depth first; or, for isp replay, one. */
#ifndef SCHED_EXPLORE_H
#define SCHED_EXPLORE_H

#include "result.h"

/* Fills *result (sites and findings are created; the caller owns them). 0, or the exit code if there is no
 * result to report: ISP_EXIT_USAGE (the program cannot be started) or ISP_EXIT_TOOL; then it has said
 * why on stderr. */
int sched_explore(const struct sched_options *options, struct sched_result *result);

#endif
