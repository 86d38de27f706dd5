/* SPDX-License-Identifier: BSD-3-Clause */
/* See alloc.h. */
#include "alloc.h"

#include <stdlib.h>

#ifndef __SANITIZE_ADDRESS__
/* Of a program that is built with a sanitizer: what isp keeps until the process ends is no leak of it. */
void __lsan_ignore_object(const void *block) __attribute__((weak));

static void *kept(void *block)
{
    if (__lsan_ignore_object)
        __lsan_ignore_object(block);
    return block;
}
#else
static void *kept(void *block) { return block; }
#endif

void *prof_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return kept(p);
}

void *prof_grow(void *p, size_t n, size_t size)
{
    p = realloc(p, n > 0 && size > 0 ? n * size : 1);
    if (!p)
        abort();
    return kept(p);
}
