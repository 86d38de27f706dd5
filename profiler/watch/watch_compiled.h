/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that the compiler has instrumented (isp-cc -fisp-memory, compilers/memory.c): it calls
 * prof_watch_touched for each load and store between the lowest and the highest byte that is watched, which
 * it looks up itself.
 */
#ifndef PROF_WATCH_COMPILED_H
#define PROF_WATCH_COMPILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [low, low + span): all that is watched. A span of 0: nothing is. */
struct prof_watch_range {
    _Atomic uintptr_t low, span;
};
extern struct prof_watch_range prof_watch_range;

/* There is such code in this program. */
extern bool prof_watch_is_compiled;

void prof_watch_touched(uintptr_t address, size_t bytes, bool store, const void *site);

/* Makes the range and what prof_watch_touched looks in fit the watches that there are. */
void prof_watch_compiled_settle(void);

#endif
