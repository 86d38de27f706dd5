/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

void *poe_alloc(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        abort();
    return p;
}

void *poe_grow(void *old, uint32_t *room, uint32_t need, size_t element)
{
    if (need <= *room)
        return old;
    uint32_t more = *room ? *room : 8;
    while (more < need)
        more *= 2;
    char *p = poe_alloc(old, more * element);
    memset(p + *room * element, 0, (more - *room) * element);
    *room = more;
    return p;
}
