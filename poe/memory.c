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

uint32_t poe_room(uint32_t room, uint32_t need)
{
    room = room ? room : 8;
    while (room < need)
        room *= 2;
    return room;
}

void *poe_grow(void *old, uint32_t *room, uint32_t need, size_t element)
{
    if (need <= *room)
        return old;
    uint32_t more = poe_room(*room, need);
    char *p = poe_alloc(old, more * element);
    memset(p + *room * element, 0, (more - *room) * element);
    *room = more;
    return p;
}
