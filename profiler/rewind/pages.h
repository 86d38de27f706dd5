/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which pages of this process's private memory have been written: the kernel protects them, notes the first
 * write to each by itself and lets it pass (userfaultfd's asynchronous write protection), and tells which
 * those are (PAGEMAP_SCAN; both Linux 6.7). No signal, no failing system call, no other process; a first
 * write costs half a microsecond.
 */
#ifndef PROF_PAGES_H
#define PROF_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mappings.h"

/* Pages that are there, of one kind. */
struct prof_region {
    uint64_t start, end;
    uint64_t written; /* not 0: since they were protected, or they never were */
};

/* In each process anew. False: the kernel cannot do it. */
bool prof_pages_begin(void);
/* The same for prof_pages_used() alone. */
bool prof_pages_look(void);
/* The private mappings that can be written, and were not told before, are watched from the next protection
 * on. */
void prof_pages_watch(const struct prof_mapping *mappings, size_t n);
/* The private pages that are there in these mappings, by address; files' own pages are not among them.
 * Returns how many regions; -1: more than `room`. */
long prof_pages_scan(const struct prof_mapping *mappings, size_t n, struct prof_region *regions, size_t room);
/* The pages that are there from `start` to `end`, by address; files' own pages are not among them. Returns
 * how many regions, at most `room`, with which it may not be at the end; -1: the kernel does not tell. */
int prof_pages_used(uint64_t start, uint64_t end, struct prof_region *regions, int room);
/* No other process has this one: it was written by this process or by its parent since that forked it. */
bool prof_pages_is_exclusive(uint64_t page);
/* All that were written count as not written. `regions`: room that this needs, in any number. */
void prof_pages_protect(struct prof_region *regions, size_t room);

#endif
