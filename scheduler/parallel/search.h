/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole exploration: every interleaving that MPI allows, by this process alone, by several (-j) or by
 * tasks of Slurm; or, for isp replay, one.
 */
#ifndef SCHED_SEARCH_H
#define SCHED_SEARCH_H

#include "explore/result.h"

/* The exploration must be made again. It has shown that checkpoints change this program: with launches only.
 * Or two runs differ, and one of them was decided while a rank called nothing, which may just have been slow:
 * with more patience. */
enum { SCHED_SEARCH_AGAIN = -1, SCHED_SEARCH_UNHURRIED = -2 };

/* Fills *result (sched_part_init was called). 0, one of these, or the exit code if there is no
 * result to report: ISP_EXIT_USAGE (the program cannot be started) or ISP_EXIT_TOOL; then it has said
 * why on stderr. */
int sched_search(const struct sched_options *options, struct sched_result *result);

#endif
