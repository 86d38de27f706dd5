/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the program that the user has said does not matter: what isp_ignore marks (include/isp.h), and
 * variables that --ignore names. It does not count where states of the program are compared, by polls
 * (polled.h) and by isp (state/memory.h).
 *
 * A mark must not outlive what was marked, else other data in its place would not count either. Of a local
 * variable it holds while the frame is there: at each look the frames are walked, and a mark is over if none
 * is the same function's at the same place, called from the same one. Of the heap it holds until the block is
 * freed, or until the memory is given out again: so what was marked after it was freed is harmless, too. The
 * arena tells (arena/arena.h), and without it there are no marks on the heap. Of a module it holds until any
 * module is unloaded.
 */
#ifndef PROF_IGNORED_H
#define PROF_IGNORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/wire.h"

/* So many ranges there can be; what is more is not marked, and counts. */
enum { PROF_IGNORED_MOST = 1024 };

struct prof_ignored {
    struct prof_ignored_range {
        uintptr_t start, end;
    } ranges[PROF_IGNORED_MOST]; /* in no order; they may overlap */
    unsigned n;
    /* the bit of each register, by its number in DWARF, that belongs to the frame of the call and holds a
     * variable that does not count */
    uint64_t registers;
};

/* isp_ignore, isp_unignore: for a call at prof_current.site. What is not memory of the program is no mark. */
void prof_ignored_mark(const void *start, size_t bytes);
void prof_ignored_unmark(const void *start, size_t bytes);
/* The program has unmapped that. */
void prof_ignored_unmapped(const void *start, size_t bytes);

/* MPI is initialized: if names were given, asks isp where the variables are, in the modules that are there
 * now; tells of marks that were made before. */
void prof_ignored_begin(void);

/* What does not count now, where the program has made its call at this place (its return address). Valid
 * until it is called again. */
const struct prof_ignored *prof_ignored_find(const void *site);

#endif
