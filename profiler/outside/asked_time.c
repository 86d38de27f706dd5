/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's clocks, of which a program that polls may ask one until it gives up (polled.h). What reads
 * the processor's counter itself is not seen; those of identity.c are there. A program that is linked
 * statically has these only (RTLD_NEXT finds nothing): so this file is not in the archive. */
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include "polled.h"

#define ASKS(type, name, parameters, arguments)                          \
    __attribute__((visibility("default"))) type name parameters          \
    {                                                                    \
        static __typeof__(&name) next;                                   \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        prof_polled_time();                                              \
        return next arguments;                                           \
    }

ASKS(int, gettimeofday, (struct timeval *restrict at, void *restrict zone), (at, zone))
ASKS(time_t, time, (time_t * at), (at))
ASKS(int, timespec_get, (struct timespec * at, int base), (at, base))
