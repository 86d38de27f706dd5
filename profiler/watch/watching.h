/* SPDX-License-Identifier: BSD-3-Clause */
/* What every MPI call does for watch.h, in its beginning and at its end. Most have nothing to do. */
#ifndef PROF_WATCHING_H
#define PROF_WATCHING_H

#include <stdatomic.h>
#include <stdbool.h>

extern atomic_bool prof_watch_noted; /* accesses wait to be told */
extern bool prof_pages_are_shut;     /* watch_pages.h */
extern bool prof_watch_changed;      /* what is watched is not what should be */

void prof_watch_tell(void);
void prof_watch_settle(void);
void prof_watch_open(void);
/* MPI is about to touch memory of the program: no means of watching is in its way until the call ends. */
void prof_watch_rest(void);

/* Both of what follows would do nothing. */
static inline bool prof_watch_rests(void)
{
    return !prof_pages_are_shut && !prof_watch_changed &&
           !atomic_load_explicit(&prof_watch_noted, memory_order_relaxed);
}

static inline void prof_watch_enter(void)
{
    if (prof_pages_are_shut)
        prof_watch_open();
    if (atomic_load_explicit(&prof_watch_noted, memory_order_relaxed))
        prof_watch_tell();
}

static inline void prof_watch_leave(void)
{
    if (prof_watch_changed)
        prof_watch_settle();
}

#endif
