/* SPDX-License-Identifier: BSD-3-Clause */
/* See alloc.h. */
#include "alloc.h"

#include <stdlib.h>

void *prof_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

void *prof_grow(void *p, size_t n, size_t size)
{
    p = realloc(p, n > 0 && size > 0 ? n * size : 1);
    if (!p)
        abort();
    return p;
}
