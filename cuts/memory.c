/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: see memory.h. */
#include "memory.h"

#include <stdlib.h>

void *cuts_new(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        abort();
    return memory;
}

void *cuts_grow(void *array, int32_t *room, int32_t n, size_t size)
{
    if (n <= *room)
        return array;
    *room = n < 8 ? 16 : 2 * n;
    array = realloc(array, (size_t)*room * size);
    if (!array)
        abort();
    return array;
}
