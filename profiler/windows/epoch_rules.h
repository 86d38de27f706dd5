/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI-4.0, section 12.5, allows on a window now: which epochs this rank has opened, and where. A call
 * that is out of place is `rma-epoch`; it is told before MPI sees it, and is not made.
 *
 * A fence opens an epoch only if accesses follow it: so a lock, a start or MPI_Win_free after a fence is fine
 * as long as none has.
 */
#ifndef PROF_EPOCH_RULES_H
#define PROF_EPOCH_RULES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "link/finding.h"

struct prof_win;

enum { PROF_ALL_RANKS = -100 }; /* as a rank: MPI_Win_lock_all, MPI_Win_flush_all */

/* What an access happens in. */
enum prof_epoch_kind {
    PROF_EPOCH_NONE,
    PROF_EPOCH_FENCE,
    PROF_EPOCH_START,
    PROF_EPOCH_SHARED,
    PROF_EPOCH_EXCLUSIVE
};

struct prof_held_lock {
    enum prof_epoch_kind kind; /* NONE: it is not held */
    struct prof_place at;
};

/* Part of a struct prof_win. A place without a site: there is none. */
struct prof_epochs {
    struct prof_place fence; /* the last one; it may be followed by accesses if `fenced` */
    bool fenced;
    struct prof_place access;      /* the first since that fence, in its epoch */
    struct prof_place other;       /* what has opened an epoch of another kind since that fence */
    struct prof_place start, post; /* of an open epoch */
    struct prof_place end;         /* what closed the last one */
    struct prof_held_lock *locks;  /* by this rank: of each rank, and of all; NULL: none ever */
};

/* Before the call (the one that the thread is in): MPI_SUCCESS, or what the call returns, since it must not
 * be made. A window that is not known (NULL) has no rules. rank: in the window's group; one that is none is
 * for MPI to complain about. */
int prof_epochs_check_access(struct prof_win *w, int rank, bool request);
int prof_epochs_check_flush(const struct prof_win *w, int rank);
int prof_epochs_check_sync(const struct prof_win *w);
int prof_epochs_check_fence(const struct prof_win *w, int assert);
int prof_epochs_check_lock(const struct prof_win *w, int rank);
int prof_epochs_check_unlock(const struct prof_win *w, int rank);
int prof_epochs_check_start(const struct prof_win *w);
int prof_epochs_check_complete(const struct prof_win *w);
int prof_epochs_check_post(const struct prof_win *w);
int prof_epochs_check_wait(const struct prof_win *w);
int prof_epochs_check_free(const struct prof_win *w);

/* The call was made. */
void prof_epochs_fence(struct prof_win *w, int assert);
void prof_epochs_lock(struct prof_win *w, int rank, enum prof_epoch_kind kind);
void prof_epochs_unlock(struct prof_win *w, int rank);
void prof_epochs_start(struct prof_win *w);
void prof_epochs_complete(struct prof_win *w);
void prof_epochs_post(struct prof_win *w);
void prof_epochs_wait(struct prof_win *w);

/* In which an access to this rank would be, or (load, store) what the owner does to its own window. */
enum prof_epoch_kind prof_epochs_kind(const struct prof_win *w, int rank);
/* MPI_Finalize: tells the epochs that are still open, and gives back the locks. */
void prof_epochs_end(const struct prof_win *w);
void prof_epochs_finish(struct prof_epochs *e);

#endif
