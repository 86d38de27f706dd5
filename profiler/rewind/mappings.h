/* SPDX-License-Identifier: BSD-3-Clause */
/* What is mapped in this process (/proc/self/maps), and how to have it again as it was. Neighbours that are
 * alike count as one. */
#ifndef PROF_MAPPINGS_H
#define PROF_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_PAGE 4096u

struct prof_mapping {
    uint64_t start, end;
    uint64_t offset, inode; /* inode 0: of no file */
    uint32_t device;
    uint16_t protection; /* PROT_ ... */
    bool shared, stack;
};

/* Its memory is this process's alone, and can be written. */
bool prof_mapping_is_own(const struct prof_mapping *mapping);
/* Visits each page from `start` to `end` that is in one of them and this process's own, by address, until a
 * visit says false; then this does. */
typedef bool prof_mapping_visit(const struct prof_mapping *mapping, uint64_t page, void *context);
bool prof_mappings_each_page(const struct prof_mapping *all, size_t n, uint64_t start, uint64_t end,
                             prof_mapping_visit *visit, void *context);

/* In each process anew. */
bool prof_mappings_begin(void);
/* A short look at all of it: the same as at another time means that nothing was mapped or unmapped in between
 * (munmap is counted, spoils.c; without that, what cannot be written could be exchanged for something else of
 * the same size). */
struct prof_mappings_look {
    uint64_t written; /* a hash of what can be written, without the stack; 0: the kernel does not tell, and
                         this look says nothing */
    uint64_t pages;   /* in all, without the stack */
    unsigned unmapped;
};

void prof_mappings_look(struct prof_mappings_look *look);
bool prof_mappings_look_same(const struct prof_mappings_look *a, const struct prof_mappings_look *b);
/* The program has called munmap(). */
void prof_mappings_unmapped(void);
/* By address. Returns how many; -1: more than `room`. */
long prof_mappings_read(struct prof_mapping *all, size_t room);
/* The same without those that lie whole in one of these stretches, which are by address, and apart. The
 * kernel is not asked for them, nor for the names of files, which take it long (Linux 6.11). by_text: as
 * prof_mappings_read() does it, to compare. */
struct prof_stretch {
    uint64_t start, end;
};

long prof_mappings_read_without(const struct prof_stretch *without, size_t n_without,
                                struct prof_mapping *all, size_t room, bool by_text);
/* The stack may be longer. */
bool prof_mappings_are_alike(const struct prof_mapping *a, size_t n, const struct prof_mapping *b, size_t m);
/* Maps what was mapped `then` and is not now (its contents are lost), and takes away what is mapped now and
 * was not then. False: that cannot be. */
bool prof_mappings_return(const struct prof_mapping *now, size_t n_now, const struct prof_mapping *then,
                          size_t n_then);

#endif
