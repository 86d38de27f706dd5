/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is there: running out of it ends isp. Private to predict/. */
#ifndef PREDICT_MEMORY_H
#define PREDICT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Of n things of this size, all 0. */
void *predict_new(size_t n, size_t size);

/* Room for at least n things of this size; doubles. */
void *predict_grow(void *array, int32_t *room, int32_t n, size_t size);

/* Numbers in a row. */
struct predict_list {
    int32_t *all;
    int32_t n, room;
};

void predict_list_add(struct predict_list *list, int32_t number);
void predict_list_finish(struct predict_list *list);

#endif
