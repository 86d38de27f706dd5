/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel tells of pages (PAGEMAP_SCAN, Linux 6.7; the numbers are those of linux/fs.h, which older
 * headers do not have).
 *
 * A guard page (MADV_GUARD_INSTALL, Linux 6.13; below the stack of a thread from glibc 2.42 on) is in a
 * mapping that can be read, counts as swapped, and ends who reads it.
 */
#ifndef PROF_PAGEMAP_H
#define PROF_PAGEMAP_H

#include <stdint.h>
#include <sys/ioctl.h>

enum {
    PROF_PAGE_WATCHED = 1 << 0, /* of a mapping whose writes are */
    PROF_PAGE_WRITTEN = 1 << 1,
    PROF_PAGE_FILE = 1 << 2,
    PROF_PAGE_PRESENT = 1 << 3,
    PROF_PAGE_SWAPPED = 1 << 4,
    PROF_PAGE_GUARD = 1 << 8, /* of Linux 6.16 */
    PROF_SCAN_PROTECT = 1,
};

/* Pages of these kinds: (kinds ^ inverted) has all of all_of and one of any_of; `regions`: prof_scanned. */
struct prof_scan {
    uint64_t size, flags, start, end, walk_end, regions, room, most, inverted, all_of, any_of, returned;
};
/* Pages that are there, and the `returned` of their kinds. */
struct prof_scanned {
    uint64_t start, end, kinds;
};
#define PROF_PAGEMAP_SCAN _IOWR('f', 16, struct prof_scan)

/* Where a process's addresses end. */
uint64_t prof_pagemap_end(void);

/* What to leave out of a scan (in `inverted` and `all_of`) so that no page in it is a guard:
 * PROF_PAGE_GUARD, or 0 where there can be none. -1: there can be some, and the kernel does not tell; or no
 * scan at all.
 * pagemap: /proc/self/pagemap, open. */
int64_t prof_pagemap_guards(int pagemap);

#endif
