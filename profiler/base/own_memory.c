/* SPDX-License-Identifier: BSD-3-Clause */
/* See own_memory.h. */
#include "own_memory.h"

#include <errno.h>
#include <sys/mman.h>

enum { MOST = 8 };

/* No list of what there is is allocated, and no file is made for it: a program may have little room. */
static struct {
    char *start; /* NULL: free */
    size_t bytes;
} all[MOST];

void *prof_own_memory_map(size_t bytes)
{
    unsigned i = 0;
    while (i < MOST && all[i].start)
        i++;
    errno = ENOMEM;
    void *map = i < MOST ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                         : MAP_FAILED;
    if (map == MAP_FAILED)
        return NULL;
    all[i].start = map;
    all[i].bytes = bytes;
    return map;
}

void *prof_own_memory_unmap(void *start)
{
    for (unsigned i = 0; start && i < MOST; i++)
        if (all[i].start == start) {
            munmap(start, all[i].bytes);
            all[i].start = NULL;
        }
    return NULL;
}

bool prof_own_memory_has(uintptr_t address)
{
    for (unsigned i = 0; i < MOST; i++)
        if (all[i].start && address - (uintptr_t)all[i].start < all[i].bytes)
            return true;
    return false;
}
