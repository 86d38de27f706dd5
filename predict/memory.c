/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: see memory.h. */
#include "memory.h"

#include <stdlib.h>

void *predict_new(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        abort();
    return memory;
}

void *predict_grow(void *array, int32_t *room, int32_t n, size_t size)
{
    if (n <= *room)
        return array;
    *room = n < 8 ? 16 : 2 * n;
    array = realloc(array, (size_t)*room * size);
    if (!array)
        abort();
    return array;
}

void predict_list_add(struct predict_list *list, int32_t number)
{
    list->all = predict_grow(list->all, &list->room, list->n + 1, sizeof *list->all);
    list->all[list->n++] = number;
}

void predict_list_finish(struct predict_list *list) { free(list->all); }
