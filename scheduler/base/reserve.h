/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the report: where a limit (ulimit -v, -d) lets isp have no more, the exploration ends while
 * there is enough left to say what it has found. (Where the kernel kills for lack of memory there is nothing
 * to be done beforehand: --save has what was known.)
 */
#ifndef SCHED_RESERVE_H
#define SCHED_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* Also for libevent and Jansson, of which nothing was called before. */
void sched_reserve_begin(void);
/* Frees it for use: something could not be had. False: that was done before. */
bool sched_reserve_spend(void);
/* Hardly more can be had; looks. From the first time on the reserve is free for use. */
bool sched_reserve_is_needed(void);
/* Whether so many bytes could be had at once; takes none. */
bool sched_reserve_could_have(size_t bytes);
/* Whether sched_reserve_is_needed was true. */
bool sched_reserve_was_needed(void);

#endif
