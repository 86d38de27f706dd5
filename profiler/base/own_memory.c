/* SPDX-License-Identifier: BSD-3-Clause */
/* See own_memory.h. */
#include "own_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 8 };

/* No list of what there is is allocated, and no file is made for it: a program may have little room. */
static struct {
    char *start; /* NULL: free */
    size_t bytes;
} all[MOST];

/* Not as the program maps memory (outside/written.c, arena/front.c): they would take it for the program's. */
static void *map(size_t bytes, int flags, int fd, off_t offset)
{
    unsigned i = 0;
    while (i < MOST && all[i].start)
        i++;
    errno = ENOMEM;
    long start = i < MOST
                     ? syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, offset)
                     : -1;
    if (start == -1)
        return NULL;
    all[i].start = (void *)start;
    all[i].bytes = bytes;
    return all[i].start;
}

void *prof_own_memory_map(size_t bytes) { return map(bytes, MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); }

void *prof_own_memory_of(int fd, off_t offset, size_t bytes) { return map(bytes, 0, fd, offset); }

void *prof_own_memory_unmap(void *start)
{
    for (unsigned i = 0; start && i < MOST; i++)
        if (all[i].start == start) {
            syscall(SYS_munmap, start, all[i].bytes);
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
