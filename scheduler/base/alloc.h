/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation that does not fail: isp ends when memory does, and its guard ends the ranks. */
#ifndef SCHED_ALLOC_H
#define SCHED_ALLOC_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isp/verdict.h"

static inline void *sched_must(void *p)
{
    if (!p) {
        fputs("isp: out of memory\n", stderr);
        _exit(ISP_EXIT_TOOL); /* what exit() would do may need some */
    }
    return p;
}

/* Zeroed. */
static inline void *sched_alloc(size_t n, size_t size) { return sched_must(calloc(n ? n : 1, size)); }
static inline void *sched_grow(void *p, size_t n, size_t size)
{
    return sched_must(reallocarray(p, n ? n : 1, size));
}
static inline void *sched_copy(const void *data, size_t bytes)
{
    void *copy = sched_must(malloc(bytes ? bytes : 1));
    return bytes ? memcpy(copy, data, bytes) : copy;
}
/* For an array that gets one more element after the other: room for one more than its n. Powers of two:
 * nobody need note how much room there is. */
#define SCHED_GROW(array, n)                                                                 \
    (((n) & ((n)-1)) == 0                                                                    \
         ? (void)((array) = sched_grow((array), (n) ? 2 * (size_t)(n) : 1, sizeof *(array))) \
         : (void)0)

static inline char *sched_strdup(const char *s) { return sched_must(strdup(s)); }

static inline char *sched_format_list(const char *format, va_list args)
{
    char *s;
    return sched_must(vasprintf(&s, format, args) < 0 ? NULL : s);
}

__attribute__((format(printf, 1, 2))) static inline char *sched_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = sched_format_list(format, args);
    va_end(args);
    return s;
}

#endif
