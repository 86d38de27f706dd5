/* SPDX-License-Identifier: BSD-3-Clause */
/* The time for waits and rates: seconds since some moment, never set back. */
#ifndef SCHED_NOW_H
#define SCHED_NOW_H

#include <time.h>

static inline double sched_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
