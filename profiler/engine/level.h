/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which threads of a rank may call MPI, and when (MPI-4.0, section 11.2.1 and 11.6): below
 * MPI_THREAD_SERIALIZED only the one that initialized MPI, at MPI_THREAD_SERIALIZED one at a time. What may
 * be called by any thread at any time (MPI_Initialized, MPI_Query_thread, MPI_Wtime ...) is nobody's fault.
 * Threads that never call MPI are not looked at.
 */
#ifndef PROF_LEVEL_H
#define PROF_LEVEL_H

#include <stdbool.h>

#include "base/phase.h"
#include "isp/functions.h"
#include "link/finding.h"

extern bool prof_level_main_only;   /* only the thread that initialized MPI may call it */
extern const void *prof_level_main; /* where prof_current of the thread is that initialized MPI */

/* The calling thread has initialized MPI by this call; not for sessions, which know no main thread. */
void prof_level_begin(enum isp_fn fn, const void *site);

/* Asked in each call: without a call of its own. */
static inline bool prof_level_is_main(void) { return &prof_current == prof_level_main; }

/* The calling thread is inside of a call that steers the run. False: another one is, and not both may be. */
bool prof_level_enter(enum isp_fn fn, const void *site);
void prof_level_leave(void);

/* This call is forbidden now, and isp has told it. `steers`: a call that is not local. */
bool prof_level_breaks(enum isp_fn fn, const void *site, bool steers);
/* Another thread waits for the same request, by this call: only one may complete it. Does not return. */
void prof_level_refuse_waiter(enum isp_fn fn, const void *site, const struct prof_place *other)
    __attribute__((noreturn));
/* MPI_Finalize belongs to the thread that initialized MPI, at every level. */
void prof_level_check_finalize(enum isp_fn fn, const void *site);

#endif
