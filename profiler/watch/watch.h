/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the program must not touch for a while (the buffer of a pending operation), or whose loads and
 * stores are of interest (a window): who touches it, and where in the source. An access inside of an MPI call
 * is none.
 *
 * How much is seen depends on the means:
 *   the debug registers of the processor (watch_registers.c): a few bytes, but at no cost;
 *   code of the program that was compiled with `isp-cc -fisp-memory` (watch_compiled.c): everything;
 *   protected pages, with --memory=watch (watch_pages.c): whole pages of large buffers that nobody may touch.
 * So what is seen has happened; that nothing is seen proves nothing.
 *
 * An access is noted where it happens, in a signal handler or between two instructions of the program, and
 * told later, outside of both: when the rank next enters an MPI call, before anything of that call is done;
 * when the watch ends; and at the process's end. So what is told stands in the rank's program order between
 * its last MPI call and this one. Between two MPI calls the first load and the first store of a watch are
 * told, and no others.
 *
 * All functions are for callers inside of a wrapper (the lock of thread.h is held).
 */
#ifndef PROF_WATCH_H
#define PROF_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prof_access { PROF_LOAD = 1, PROF_STORE = 2 };

struct prof_sight {
    enum prof_access kind; /* a store of the value that was there already may pass for a load */
    uintptr_t address;     /* some of the bytes from here on ... */
    size_t length;         /* ... and at most so many have been touched */
    const void *site;      /* the address behind the instruction: a place for finding.h, with ISP_FN_NONE */
    uint16_t thread;       /* number of the thread (thread.h) */
};

typedef void prof_watch_seen(void *context, const struct prof_sight *sight);

struct prof_watch; /* an interval that is being watched */

/* kinds: what is of interest, of enum prof_access; never 0. urgent: watched with a debug register before
 * those that are not. */
struct prof_watch *prof_watch_begin(const void *low, size_t bytes, unsigned kinds, bool urgent,
                                    prof_watch_seen *seen, void *context);
/* A few bytes at least can be watched here. */
bool prof_watch_is_possible(void);
/* No correct program touches it, not even in a system call. */
void prof_watch_forbid(struct prof_watch *watch);
/* Tells what was not told yet, and forgets it. NULL is allowed. */
void prof_watch_end(struct prof_watch *watch);

#endif
