/* SPDX-License-Identifier: BSD-3-Clause */
/* See epoch_rules.h. */
#include "epoch_rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/errors.h"
#include "engine/prof.h"
#include "windows.h"

#define TEXT 200

/* `other`: what stands against it, and is shown too; may be NULL, or a place without site. story: about %0,
 * that place. */
static int wrong(const struct prof_win *w, const struct prof_place *other, const char *story,
                 const char *text)
{
    bool has = other && other->site;
    return prof_error_raise_window(&(struct prof_finding){.rule = ISP_RULE_RMA_EPOCH,
                                                          .text = text,
                                                          .story = has ? story : NULL,
                                                          .more = other,
                                                          .n_more = has},
                                   w->handle, MPI_ERR_RMA_SYNC);
}

#define WRONG(w, other, story, ...)               \
    do {                                          \
        char text[TEXT];                          \
        snprintf(text, sizeof text, __VA_ARGS__); \
        return wrong(w, other, story, text);      \
    } while (0)

static struct prof_place here(void) { return (struct prof_place){prof_current.fn, prof_current.site}; }

/* ---- locks ---- */

static bool is_rank(const struct prof_win *w, int rank)
{
    return w && (rank == PROF_ALL_RANKS || (rank >= 0 && rank < w->n));
}

static const struct prof_held_lock *held(const struct prof_win *w, int rank)
{
    static const struct prof_held_lock none;
    return w->epochs.locks ? &w->epochs.locks[rank == PROF_ALL_RANKS ? w->n : rank] : &none;
}

/* One that this rank holds; NULL: none. *rank: of which rank, or PROF_ALL_RANKS. */
static const struct prof_held_lock *any_lock(const struct prof_win *w, int *rank)
{
    for (int i = w->n; i >= 0 && w->epochs.locks; i--)
        if (w->epochs.locks[i].kind) {
            *rank = i == w->n ? PROF_ALL_RANKS : i;
            return &w->epochs.locks[i];
        }
    return NULL;
}

static const char *lock_of(int rank, char *room)
{
    if (rank == PROF_ALL_RANKS)
        return "all ranks";
    snprintf(room, 32, "rank %d", rank);
    return room;
}

enum prof_epoch_kind prof_epochs_kind(const struct prof_win *w, int rank)
{
    const struct prof_epochs *e = &w->epochs;
    if (held(w, rank)->kind)
        return held(w, rank)->kind;
    if (held(w, PROF_ALL_RANKS)->kind)
        return held(w, PROF_ALL_RANKS)->kind;
    if (e->start.site)
        return PROF_EPOCH_START;
    return e->fenced ? PROF_EPOCH_FENCE : PROF_EPOCH_NONE;
}

/* ---- accesses ---- */

static bool is_in_group(const struct prof_win *w, int rank)
{
    for (uint32_t i = 0; i < w->access.n; i++)
        if (w->access.ranks[i] == (uint32_t)w->world[rank])
            return true;
    return false;
}

static int no_epoch(const struct prof_win *w, int rank)
{
    int other;
    const struct prof_held_lock *lock = any_lock(w, &other);
    if (lock)
        WRONG(w, &lock->at, "%0 has opened the epoch\n",
              "rank %d of the window is not locked, only rank %d is (MPI_Win_lock)", rank, other);
    const struct prof_epochs *e = &w->epochs;
    bool nosucceed = e->fence.site && !e->end.site;
    WRONG(w, nosucceed ? &e->fence : &e->end,
          nosucceed ? "%0 has MPI_MODE_NOSUCCEED, so no epoch begins there\n"
                    : "%0 has closed the last epoch\n",
          "no epoch is open in which rank %d of the window may be accessed (MPI_Win_fence, "
          "MPI_Win_start or MPI_Win_lock)",
          rank);
}

int prof_epochs_check_access(struct prof_win *w, int rank, bool request)
{
    if (!w || rank < 0 || !is_rank(w, rank))
        return MPI_SUCCESS;
    struct prof_epochs *e = &w->epochs;
    enum prof_epoch_kind kind = prof_epochs_kind(w, rank);
    if (kind == PROF_EPOCH_NONE)
        return no_epoch(w, rank);
    if (kind == PROF_EPOCH_START && !is_in_group(w, rank))
        WRONG(w, &e->start, "%0 has opened the epoch\n",
              "rank %d of the window is not in the group of MPI_Win_start", rank);
    if (request && kind < PROF_EPOCH_SHARED)
        WRONG(w, kind == PROF_EPOCH_START ? &e->start : &e->fence, "%0 has opened the epoch\n",
              "an access with a request needs a lock of rank %d (MPI_Win_lock, MPI_Win_lock_all), not %s",
              rank, kind == PROF_EPOCH_START ? "MPI_Win_start" : "MPI_Win_fence");
    if (kind == PROF_EPOCH_FENCE && e->other.site)
        WRONG(w, &e->other, "%0 has opened that epoch\n",
              "an epoch of another kind lies between the last fence and this access, in whose epoch it would "
              "be");
    if (kind == PROF_EPOCH_FENCE && !e->access.site)
        e->access = here();
    return MPI_SUCCESS;
}

int prof_epochs_check_flush(const struct prof_win *w, int rank)
{
    if (!is_rank(w, rank))
        return MPI_SUCCESS;
    int other;
    const struct prof_held_lock *lock = any_lock(w, &other);
    if (held(w, PROF_ALL_RANKS)->kind || (lock && rank == PROF_ALL_RANKS) || held(w, rank)->kind)
        return MPI_SUCCESS;
    if (lock)
        WRONG(w, &lock->at, "%0 has opened the epoch\n",
              "rank %d of the window is not locked, only rank %d is", rank, other);
    const struct prof_epochs *e = &w->epochs;
    const struct prof_place *open = e->start.site ? &e->start : e->access.site ? &e->fence : NULL;
    WRONG(w, open, "%0 has opened another kind of epoch\n",
          "no lock is held; a flush is for epochs of MPI_Win_lock and MPI_Win_lock_all only");
}

int prof_epochs_check_sync(const struct prof_win *w)
{
    int rank;
    if (!w || any_lock(w, &rank))
        return MPI_SUCCESS;
    WRONG(w, &w->epochs.end, "%0 has closed the last epoch\n",
          "no lock is held; MPI_Win_sync is for epochs of MPI_Win_lock and MPI_Win_lock_all only");
}

/* ---- what opens and closes them ---- */

/* An access epoch that is open, in the way of another: MPI_SUCCESS if none is. what: "MPI_Win_start". */
static int check_no_access_epoch(const struct prof_win *w, bool locks)
{
    const struct prof_epochs *e = &w->epochs;
    int rank;
    char room[32];
    const struct prof_held_lock *lock = locks ? any_lock(w, &rank) : NULL;
    if (lock)
        WRONG(w, &lock->at, "%0 has opened it\n",
              "the epoch of the lock of %s is still open (MPI_Win_unlock%s)", lock_of(rank, room),
              rank == PROF_ALL_RANKS ? "_all" : "");
    if (e->start.site)
        WRONG(w, &e->start, "%0 has opened it\n",
              "the epoch of MPI_Win_start is still open (MPI_Win_complete)");
    return MPI_SUCCESS;
}

static int check_no_fence_epoch(const struct prof_win *w)
{
    const struct prof_epochs *e = &w->epochs;
    if (e->access.site)
        WRONG(w, &e->access, "%0 is in it\n",
              "the epoch of MPI_Win_fence is still open: an access was made in it, and no fence follows");
    return MPI_SUCCESS;
}

static int check_no_exposure(const struct prof_win *w)
{
    if (w->epochs.post.site)
        WRONG(w, &w->epochs.post, "%0 has opened it\n",
              "the epoch of MPI_Win_post is still open (MPI_Win_wait)");
    return MPI_SUCCESS;
}

int prof_epochs_check_fence(const struct prof_win *w, int assert)
{
    if (!w)
        return MPI_SUCCESS;
    int rc = check_no_access_epoch(w, true);
    if (rc == MPI_SUCCESS)
        rc = check_no_exposure(w);
    if (rc == MPI_SUCCESS && (assert &MPI_MODE_NOPRECEDE) && w->epochs.access.site)
        WRONG(w, &w->epochs.access, "%0 precedes it\n",
              "MPI_MODE_NOPRECEDE, but there are accesses since the last fence to be completed");
    return rc;
}

int prof_epochs_check_lock(const struct prof_win *w, int rank)
{
    if (!is_rank(w, rank))
        return MPI_SUCCESS;
    int other;
    const struct prof_held_lock *lock = any_lock(w, &other);
    char room[32];
    if (lock && (rank == PROF_ALL_RANKS || other == PROF_ALL_RANKS))
        WRONG(w, &lock->at, "%0 has locked it\n", "this rank holds the lock of %s", lock_of(other, room));
    if (rank != PROF_ALL_RANKS && held(w, rank)->kind)
        WRONG(w, &held(w, rank)->at, "%0 has locked it\n", "this rank holds the lock of rank %d already",
              rank);
    int rc = check_no_access_epoch(w, false);
    if (rc == MPI_SUCCESS)
        rc = check_no_fence_epoch(w);
    if (rc == MPI_SUCCESS && (rank == PROF_ALL_RANKS || rank == w->rank) && w->epochs.post.site)
        WRONG(w, &w->epochs.post, "%0 has exposed it\n",
              "a window must not be locked while MPI_Win_post exposes it");
    return rc;
}

int prof_epochs_check_unlock(const struct prof_win *w, int rank)
{
    if (!is_rank(w, rank) || held(w, rank)->kind)
        return MPI_SUCCESS;
    int other;
    char room[32];
    const struct prof_held_lock *lock = any_lock(w, &other);
    if (lock)
        WRONG(w, &lock->at, "%0 has locked that\n", "this rank holds the lock of %s only",
              lock_of(other, room));
    if (rank == PROF_ALL_RANKS)
        WRONG(w, &w->epochs.end, "%0 has closed the last epoch\n",
              "there is no epoch of MPI_Win_lock_all to be closed");
    WRONG(w, &w->epochs.end, "%0 has closed the last epoch\n",
          "rank %d of the window is not locked by this rank", rank);
}

int prof_epochs_check_start(const struct prof_win *w)
{
    if (!w)
        return MPI_SUCCESS;
    int rc = check_no_access_epoch(w, true);
    return rc == MPI_SUCCESS ? check_no_fence_epoch(w) : rc;
}

int prof_epochs_check_complete(const struct prof_win *w)
{
    if (!w || w->epochs.start.site)
        return MPI_SUCCESS;
    WRONG(w, &w->epochs.end, "%0 has closed the last epoch\n",
          "there is no epoch of MPI_Win_start to be completed");
}

int prof_epochs_check_post(const struct prof_win *w)
{
    if (!w)
        return MPI_SUCCESS;
    int rc = check_no_exposure(w);
    const struct prof_held_lock *own = held(w, w->rank);
    if (rc == MPI_SUCCESS && own->kind)
        WRONG(w, &own->at, "%0 has locked it\n",
              "a window must not be exposed while it is locked, and this rank holds its lock");
    return rc;
}

int prof_epochs_check_wait(const struct prof_win *w)
{
    if (!w || w->epochs.post.site)
        return MPI_SUCCESS;
    WRONG(w, NULL, NULL, "there is no epoch of MPI_Win_post to wait for");
}

int prof_epochs_check_free(const struct prof_win *w)
{
    if (!w)
        return MPI_SUCCESS;
    int rc = check_no_access_epoch(w, true);
    if (rc == MPI_SUCCESS)
        rc = check_no_fence_epoch(w);
    return rc == MPI_SUCCESS ? check_no_exposure(w) : rc;
}

/* ---- what was done ---- */

void prof_epochs_fence(struct prof_win *w, int assert)
{
    w->epochs.fence = here();
    w->epochs.fenced = !(assert &MPI_MODE_NOSUCCEED);
    w->epochs.access.site = NULL;
    w->epochs.other.site = NULL;
    w->epochs.end.site = NULL;
}

void prof_epochs_lock(struct prof_win *w, int rank, enum prof_epoch_kind kind)
{
    if (!is_rank(w, rank))
        return;
    if (!w->epochs.locks)
        w->epochs.locks = prof_alloc((size_t)w->n + 1, sizeof *w->epochs.locks);
    w->epochs.locks[rank == PROF_ALL_RANKS ? w->n : rank] = (struct prof_held_lock){kind, here()};
    w->epochs.other = here();
}

void prof_epochs_unlock(struct prof_win *w, int rank)
{
    if (!is_rank(w, rank) || !w->epochs.locks)
        return;
    w->epochs.locks[rank == PROF_ALL_RANKS ? w->n : rank].kind = PROF_EPOCH_NONE;
    w->epochs.end = here();
}

void prof_epochs_start(struct prof_win *w) { w->epochs.start = w->epochs.other = here(); }

void prof_epochs_complete(struct prof_win *w)
{
    w->epochs.start.site = NULL;
    w->epochs.end = here();
}

void prof_epochs_post(struct prof_win *w) { w->epochs.post = here(); }

void prof_epochs_wait(struct prof_win *w) { w->epochs.post.site = NULL; }

/* ---- the end ---- */

static void tell_open(struct prof_place at, const char *text)
{
    prof_finding_tell(&(struct prof_finding){.rule = ISP_RULE_RMA_EPOCH, .at = at, .text = text});
}

/* MPICH cannot end with a lock that is held. */
static void give_back(const struct prof_win *w)
{
    for (int i = 0; i <= w->n && w->epochs.locks; i++)
        if (w->epochs.locks[i].kind && i == w->n)
            PMPI_Win_unlock_all(w->handle);
        else if (w->epochs.locks[i].kind)
            PMPI_Win_unlock(i, w->handle);
}

void prof_epochs_end(const struct prof_win *w)
{
    const struct prof_epochs *e = &w->epochs;
    int rank;
    const struct prof_held_lock *lock = any_lock(w, &rank);
    if (lock)
        tell_open(lock->at, rank == PROF_ALL_RANKS ? "this epoch is never closed (MPI_Win_unlock_all)"
                                                   : "this epoch is never closed (MPI_Win_unlock)");
    if (e->start.site)
        tell_open(e->start, "this epoch is never closed (MPI_Win_complete)");
    if (e->post.site)
        tell_open(e->post, "this epoch is never closed (MPI_Win_wait)");
    if (e->access.site)
        tell_open(e->access,
                  "the epoch of MPI_Win_fence that this access is in is never closed by another fence");
    give_back(w);
}

void prof_epochs_finish(struct prof_epochs *e) { free(e->locks); }
