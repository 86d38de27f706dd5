/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation that does not fail: what is kept for the report is spent when memory ends (reserve.h), which
 * ends the exploration, and when that is gone isp ends, and its guard ends the ranks. */
#ifndef SCHED_ALLOC_H
#define SCHED_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
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

/* Not in tests of single parts. */
bool sched_reserve_spend(void) __attribute__((weak));

static inline bool sched_try_again(const void *p)
{
    return !p && sched_reserve_spend && sched_reserve_spend();
}

/* Zeroed. */
static inline void *sched_alloc(size_t n, size_t size)
{
    void *p;
    do
        p = calloc(n ? n : 1, size);
    while (sched_try_again(p));
    return sched_must(p);
}

static inline void *sched_grow(void *p, size_t n, size_t size)
{
    void *grown;
    do
        grown = reallocarray(p, n ? n : 1, size);
    while (sched_try_again(grown));
    return sched_must(grown);
}

static inline void *sched_copy(const void *data, size_t bytes)
{
    void *copy = sched_grow(NULL, bytes, 1);
    return bytes ? memcpy(copy, data, bytes) : copy;
}

/* For an array that gets one more element after the other: room for one more than its n. Powers of two:
 * nobody need note how much room there is. */
#define SCHED_GROW(array, n)                                                                 \
    (((n) & ((n)-1)) == 0                                                                    \
         ? (void)((array) = sched_grow((array), (n) ? 2 * (size_t)(n) : 1, sizeof *(array))) \
         : (void)0)

static inline char *sched_strdup(const char *s) { return sched_copy(s, strlen(s) + 1); }

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
