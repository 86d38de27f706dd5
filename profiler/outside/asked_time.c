/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's clocks, of which a program that polls may ask one until it gives up (polled.h). What reads
 * the processor's counter itself is not seen; those of identity.c are there. A program that is linked
 * statically has these only (RTLD_NEXT finds nothing): so this file is not in the archive. */
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include "polled.h"
#include "times.h"

#define NEXT(name)                                                   \
    static __typeof__(&name) next;                                   \
    next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    prof_polled_time()

#define EXPORT __attribute__((visibility("default")))

EXPORT int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    NEXT(gettimeofday);
    int rc = next(at, zone);
    struct timeval *volatile given = at; /* it may be NULL, whatever the header promises */
    if (rc == 0 && given) {
        struct timespec t = {.tv_sec = at->tv_sec, .tv_nsec = 1000 * at->tv_usec};
        prof_times_repeat(&t);
        *at = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000};
    }
    return rc;
}

EXPORT time_t time(time_t *at)
{
    NEXT(time);
    struct timespec t = {.tv_sec = next(NULL)};
    prof_times_repeat(&t);
    if (at)
        *at = t.tv_sec;
    return t.tv_sec;
}

EXPORT int timespec_get(struct timespec *at, int base)
{
    NEXT(timespec_get);
    int rc = next(at, base);
    if (rc == TIME_UTC)
        prof_times_repeat(at);
    return rc;
}
