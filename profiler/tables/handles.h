/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handles that the program created and has not freed yet, each with the call
 * sites that created it: what is left at MPI_Finalize is a leak, or at the end of the
 * process, if it may be freed until then.
 *
 * A handle is counted once per creation: MPICH returns the same integer again,
 * with a raised reference count, for the group of a communicator or for its
 * error handler, and the program must free each of them. Null and predefined
 * handles are never counted, so callers need not tell them apart. Freeing a
 * handle that is not tracked does nothing.
 *
 * Safe to call from several threads. Nothing here calls MPI or writes anything; a
 * machine without memory aborts.
 */
#ifndef PROF_HANDLES_H
#define PROF_HANDLES_H

#include <stdint.h>

#include "isp/functions.h"
#include "link/finding.h"

enum prof_handle_kind {
    PROF_HANDLE_COMM,
    PROF_HANDLE_GROUP,
    PROF_HANDLE_DATATYPE,
    PROF_HANDLE_OP,
    PROF_HANDLE_REQUEST, /* persistent ones */
    PROF_HANDLE_ERRHANDLER,
    PROF_HANDLE_INFO,
    PROF_HANDLE_KEYVAL,
    PROF_HANDLE_MESSAGE,
    PROF_HANDLE_WINDOW,
    PROF_HANDLE_FILE,
};

/* The program got `handle` from `fn`, called at `site`, and must free it. */
void prof_handle_created(enum prof_handle_kind kind, int handle, enum isp_fn fn, const void *site);

/* The program freed `handle`; call it with the value from before MPI nulled it.
 * Of several creations of one handle, the latest is taken to be the freed one. */
void prof_handle_freed(enum prof_handle_kind kind, int handle);

/* What is known of a handle that the program names. Where it was freed last is remembered until MPI hands it
 * out again; so there are no more of those than handles that were live at one time. */
enum prof_handle_life { PROF_HANDLE_UNKNOWN, PROF_HANDLE_LIVE, PROF_HANDLE_FREED };
enum prof_handle_life prof_handle_life(enum prof_handle_kind kind, int handle, struct prof_place *freed);

/* MPI has handed out this handle, where nobody counts (in a callback of the program): it was not freed. */
void prof_handle_seen(enum prof_handle_kind kind, int handle);

/* Sees every (kind, fn, site) whose handles were not all freed, with how many
 * were not, in the order of their first creation. `see` is called without a lock held. */
typedef void prof_leak_see(enum prof_handle_kind kind, enum isp_fn fn, const void *site, uint32_t count,
                           void *context);
void prof_handles_each_leak(prof_leak_see *see, void *context);

/* Sees all attribute keys that the program has made, the latest first, also those that it has freed:
 * attributes may still have them. `see` is called without a lock held. */
void prof_handles_each_keyval(void (*see)(int keyval, void *context), void *context);

/* All that is known of handles. */
struct prof_hash;
void prof_handles_hash(struct prof_hash *hash);

/* Forgets everything. */
void prof_handles_finish(void);

#endif
