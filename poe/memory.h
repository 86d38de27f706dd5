/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is there: a run cannot be judged without it, so running out of it ends isp. The state of a run
 * is in an arena instead (arena.h). */
#ifndef POE_MEMORY_H
#define POE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* realloc that does not fail. */
void *poe_alloc(void *old, size_t bytes);

/* How many elements to have room for, when there is room for `room`. */
uint32_t poe_room(uint32_t room, uint32_t need);

/* Room for at least `need` elements of this size; doubles. */
void *poe_grow(void *old, uint32_t *room, uint32_t need, size_t element);

#endif
