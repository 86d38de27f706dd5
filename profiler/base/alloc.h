/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the profiler: a tool that cannot note something would report nonsense, so lack of memory ends the
 * rank. */
#ifndef PROF_ALLOC_H
#define PROF_ALLOC_H

#include <stddef.h>

/* n zeroed elements, never NULL. */
void *prof_alloc(size_t n, size_t size);
/* realloc to n elements, never NULL; the new ones are not zeroed. */
void *prof_grow(void *p, size_t n, size_t size);

#endif
