/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is there: running out of it ends isp. Private to cuts/. */
#ifndef CUTS_MEMORY_H
#define CUTS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Of n things of this size, all 0. */
void *cuts_new(size_t n, size_t size);

/* Room for at least n things of this size; doubles. */
void *cuts_grow(void *array, int32_t *room, int32_t n, size_t size);

#endif
