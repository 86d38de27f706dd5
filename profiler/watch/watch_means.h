/* SPDX-License-Identifier: BSD-3-Clause */
/* What watch.c and the means by which it sees accesses know of each other. */
#ifndef PROF_WATCH_MEANS_H
#define PROF_WATCH_MEANS_H

#include "watch.h"

struct prof_watch {
    uintptr_t low, high; /* [low, high) */
    unsigned kinds;
    bool urgent, forbidden;
    /* it has whole pages that can be protected */
    enum { PROF_PAGES_UNKNOWN, PROF_PAGES_NO, PROF_PAGES_YES } pages;
    prof_watch_seen *seen;
    void *context;
    struct prof_watch *next, *previous; /* among those of the same urgency, newest first */
    _Atomic unsigned begun, noted;      /* kinds that `sights` has begun to hold, and holds */
    struct prof_sight sights[2];        /* the first load and the first store since they were told last */
};

struct prof_watch *prof_watch_newest(bool urgent);

/* For signal handlers and instrumented code: the program has touched some of these bytes. Ignored inside of
 * MPI calls. Memory of a watch is never given back, so a handler may still hold one that has ended. site: as
 * in prof_sight. */
void prof_watch_note(struct prof_watch *watch, enum prof_access kind, uintptr_t address, size_t length,
                     const void *site);

/* The place in the program's own code that an instruction of this context (of a signal handler) belongs to:
 * the caller, if it is in a library of the system, such as memcpy. NULL: MPI itself has done it. */
const void *prof_watch_place(const void *context);
/* The instruction behind the one that was stopped; 0: not known on this processor. */
uintptr_t prof_watch_pc(const void *context);

/* ---- debug registers ---- */

bool prof_registers_are_there(void);
/* Makes them fit the watches that there are. */
void prof_registers_arm(void);
/* MPI is about to touch the program's memory itself: this would cost a signal each time. True: some were
 * set. */
bool prof_registers_rest(void);
/* In a child that goes on as the rank: the registers are its parent's. */
void prof_registers_forked(void);
/* In one that has gone back (rewind/rewind.h): what the registers were set to since is not in its memory. */
void prof_registers_back(void);

#endif
