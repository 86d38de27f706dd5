/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole exploration: every interleaving that MPI allows, by this process alone, by several (-j) or by tasks
 * of Slurm; or, for isp replay, one.
 */
#ifndef SCHED_SEARCH_H
#define SCHED_SEARCH_H

#include "explore/result.h"

/* The exploration has shown that checkpoints change this program: it must be made again, with launches
 * only. */
enum { SCHED_SEARCH_AGAIN = -1 };

/* Fills *result (sched_part_init was called). 0, SCHED_SEARCH_AGAIN, or the exit code if there is no
 * result to report: ISP_EXIT_USAGE (the program cannot be started) or ISP_EXIT_TOOL; then it has said
 * why on stderr. */
int sched_search(const struct sched_options *options, struct sched_result *result);

#endif
