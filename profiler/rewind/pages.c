/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers are those of the kernel's linux/userfaultfd.h, which older headers do not have. */
#include "pages.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/pagemap.h"
#include "own_descriptor.h"

enum {
    FEATURE_WP_UNPOPULATED = 1 << 13,
    FEATURE_WP_ASYNC = 1 << 15,
    USER_MODE_ONLY = 1,
    FEW = 16, /* regions */
};

static int faults = -1, pagemap = -1;
static pid_t looks_at;  /* whose pagemap it is */
static uint64_t guards; /* prof_pagemap_guards() */

bool prof_pages_look(void)
{
    if (looks_at == prof_own_pid())
        return true;
    if (sysconf(_SC_PAGESIZE) != PROF_PAGE || !prof_own_descriptor_open(&pagemap, "/proc/self/pagemap"))
        return false;
    int64_t left_out = prof_pagemap_guards(pagemap);
    if (left_out < 0)
        return false;
    guards = (uint64_t)left_out;
    looks_at = prof_own_pid();
    return true;
}

bool prof_pages_begin(void)
{
    struct uffdio_api api = {.api = UFFD_API, .features = FEATURE_WP_UNPOPULATED | FEATURE_WP_ASYNC};
    if (!prof_own_descriptor(&faults,
                             (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY)) ||
        !prof_pages_look())
        return false;
    return ioctl(faults, UFFDIO_API, &api) == 0;
}

void prof_pages_watch(const struct prof_mapping *mappings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct uffdio_register r = {.range = {mappings[i].start, mappings[i].end - mappings[i].start},
                                    .mode = UFFDIO_REGISTER_MODE_WP};
        if (prof_mapping_is_own(&mappings[i]))
            ioctl(faults, UFFDIO_REGISTER, &r); /* where it cannot be had, pages always count as written */
    }
}

/* watched: of mappings that are; the kernel then does not look at others, of which there are many. */
static long scan(uint64_t start, uint64_t end, bool watched, struct prof_region *regions, size_t room)
{
    struct prof_scan s = {.size = sizeof s,
                          .start = start,
                          .end = end,
                          .regions = (uintptr_t)regions,
                          .room = room,
                          .inverted = PROF_PAGE_FILE | guards | (watched ? 0 : PROF_PAGE_WATCHED),
                          .all_of = PROF_PAGE_FILE | guards | PROF_PAGE_WATCHED,
                          .any_of = PROF_PAGE_PRESENT | PROF_PAGE_SWAPPED,
                          .returned = PROF_PAGE_WRITTEN};
    int n = ioctl(pagemap, PROF_PAGEMAP_SCAN, &s);
    /* walk_end says less than it should where there are more than 512 regions */
    return n >= 0 && (size_t)n < room ? n : -1;
}

static void sort_in(struct prof_region *regions, long n, long more)
{
    for (long i = n; i < n + more; i++) {
        struct prof_region r = regions[i];
        long at = i;
        for (; at > 0 && regions[at - 1].start > r.start; at--)
            regions[at] = regions[at - 1];
        regions[at] = r;
    }
}

/* The kernel takes longer where there is room for more, and mostly there is none. */
static long scan_unwatched(const struct prof_mapping *m, struct prof_region *regions, size_t room)
{
    long n = scan(m->start, m->end, false, regions, room < FEW ? room : FEW);
    return n >= 0 || room <= FEW ? n : scan(m->start, m->end, false, regions, room);
}

/* A mapping that was replaced by a new one of the same size looks like the old one, but is not watched. Who
 * allocates memory does that; what came from a file stays. */
long prof_pages_scan(const struct prof_mapping *mappings, size_t n_mappings, struct prof_region *regions,
                     size_t room)
{
    long n = scan(0, prof_pagemap_end(), true, regions, room);
    for (size_t i = 0; n >= 0 && i < n_mappings; i++) {
        const struct prof_mapping *m = &mappings[i];
        if (!prof_mapping_is_own(m) || m->inode || m->stack)
            continue;
        long more = scan_unwatched(m, regions + n, room - (size_t)n);
        if (more < 0)
            return -1;
        sort_in(regions, n, more);
        n += more;
    }
    return n;
}

int prof_pages_used(uint64_t start, uint64_t end, struct prof_region *regions, int room)
{
    struct prof_scan s = {.size = sizeof s,
                          .start = start,
                          .end = end,
                          .regions = (uintptr_t)regions,
                          .room = (uint64_t)room,
                          .inverted = PROF_PAGE_FILE | guards,
                          .all_of = PROF_PAGE_FILE | guards,
                          .any_of = PROF_PAGE_PRESENT | PROF_PAGE_SWAPPED,
                          .returned = PROF_PAGE_WATCHED | PROF_PAGE_WRITTEN};
    int n = ioctl(pagemap, PROF_PAGEMAP_SCAN, &s);
    for (int i = 0; i < n; i++)
        regions[i].written = regions[i].written != PROF_PAGE_WATCHED;
    return n;
}

bool prof_pages_is_exclusive(uint64_t page)
{
    uint64_t entry;
    off_t at = (off_t)(page / PROF_PAGE * sizeof entry);
    return pread(pagemap, &entry, sizeof entry, at) != sizeof entry || entry >> 56 & 1;
}

/* With a list of what is protected: without one the kernel protects what is not there too, which the next
 * look would have to pass over. */
void prof_pages_protect(struct prof_region *regions, size_t room)
{
    struct prof_scan s = {.size = sizeof s,
                          .flags = PROF_SCAN_PROTECT,
                          .end = prof_pagemap_end(),
                          .regions = (uintptr_t)regions,
                          .room = room,
                          .inverted = guards,
                          .all_of = PROF_PAGE_WRITTEN | guards,
                          .any_of = PROF_PAGE_PRESENT | PROF_PAGE_SWAPPED,
                          .returned = PROF_PAGE_WRITTEN};
    while ((size_t)ioctl(pagemap, PROF_PAGEMAP_SCAN, &s) == room)
        s.start = s.walk_end;
}
