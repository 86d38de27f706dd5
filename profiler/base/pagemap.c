/* SPDX-License-Identifier: BSD-3-Clause */
#include "pagemap.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SOME_PAGE = 4096, GUARD_INSTALL = 102 };

uint64_t prof_pagemap_end(void)
{
#if defined __x86_64__
    return ((uint64_t)1 << 47) - SOME_PAGE;
#else
    return (uint64_t)1 << 48;
#endif
}

static int probe(int pagemap, uint64_t returned)
{
    struct prof_scanned region;
    struct prof_scan s = {.size = sizeof s,
                          .end = prof_pagemap_end(),
                          .regions = (uintptr_t)&region,
                          .room = 1,
                          .most = 1,
                          .any_of = PROF_PAGE_PRESENT,
                          .returned = returned};
    return ioctl(pagemap, PROF_PAGEMAP_SCAN, &s);
}

/* Where no memory is: a kernel that does not know the advice says so first. */
static bool knows_guards(void)
{
    return syscall(SYS_madvise, SOME_PAGE, SOME_PAGE, GUARD_INSTALL) == 0 || errno == ENOMEM;
}

int64_t prof_pagemap_guards(int pagemap)
{
    static int64_t left_out;
    static bool known;
    int error = errno;
    if (!known && probe(pagemap, PROF_PAGE_GUARD) >= 0)
        left_out = PROF_PAGE_GUARD;
    else if (!known)
        left_out = probe(pagemap, PROF_PAGE_PRESENT) >= 0 && !knows_guards() ? 0 : -1;
    known = true;
    errno = error;
    return left_out;
}
