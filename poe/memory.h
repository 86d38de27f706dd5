/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is there: a run cannot be judged without it, so running out of it ends isp. */
#ifndef POE_MEMORY_H
#define POE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* realloc that does not fail. */
void *poe_alloc(void *old, size_t bytes);

/* Room for at least `need` elements of this size; doubles. */
void *poe_grow(void *old, uint32_t *room, uint32_t need, size_t element);

#endif
