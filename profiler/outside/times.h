/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of day as a debugged program asks for it (ISP_ENV_TIMES). What a rank gets the first time it gets
 * again whenever it comes there again, from a checkpoint or a launch: a program that seeds a generator with
 * the time does the same each time. Clocks that only measure (CLOCK_MONOTONIC, MPI_Wtime) go on as they do.
 */
#ifndef PROF_TIMES_H
#define PROF_TIMES_H

#include <time.h>

/* Nothing, if nobody debugs. */
void prof_times_begin(int rank);
/* Before the program gets this time: it becomes the one that it had at first. Calls of MPI's and isp's own
 * pass. */
void prof_times_repeat(struct timespec *time);

#endif
