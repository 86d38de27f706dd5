/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Epochs of two kinds (MPI-4.0, sections 12.5.2 and 12.5.3).
 *
 * Post, start, complete and wait are messages that MPI never sees (ISP_F_SIGNAL): MPI_Win_post sends one to
 * each rank of its group, MPI_Win_start waits for those; MPI_Win_complete sends one back, MPI_Win_wait waits
 * for those. MPI lets start and complete block until the other side is there, so this finds what can
 * deadlock.
 *
 * A lock is one that the scheduler gives; MPI is asked for it only then, and so never has to wait for it.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "early_fence.h"
#include "engine/ahead.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "looks.h"
#include "outside/polled.h"
#include "prof_calls.h"
#include "tables/communicators.h"
#include "windows.h"

enum { TAG_POST = 1, TAG_COMPLETE };

static struct prof_op *signal_(const struct prof_win *w, enum isp_op op, uint32_t peer, int tag)
{
    const struct prof_envelope nothing = {.c = prof_comm_find(MPI_COMM_SELF)};
    struct prof_op *slot = prof_op_create(PROF_OP_SIGNAL, &nothing);
    struct isp_call call = {
        .op = (uint8_t)op,
        .flags = (uint16_t)(ISP_F_SIGNAL | (op == ISP_OP_SEND ? ISP_F_DETACHED : 0)),
        .handle = slot->number,
        .comm = w->number,
        .peer = (int32_t)peer,
        .tag = tag,
    };
    prof_record(&call);
    prof_ahead_issue(slot, &call);
    if (op == ISP_OP_SEND)
        prof_op_consume(slot);
    return slot;
}

static void signal_all(const struct prof_win *w, const struct prof_epoch *epoch, int tag)
{
    for (uint32_t i = 0; i < epoch->n; i++)
        signal_(w, ISP_OP_SEND, epoch->ranks[i], tag);
}

/* Messages to come: epoch->ops. */
static void expect_all(const struct prof_win *w, struct prof_epoch *epoch, int tag)
{
    epoch->ops = prof_alloc(epoch->n, sizeof(struct prof_op *));
    for (uint32_t i = 0; i < epoch->n; i++)
        epoch->ops[i] = signal_(w, ISP_OP_RECV, epoch->ranks[i], tag);
}

/* Waits for epoch->ops; false: it is a poll, and they are not all there. */
static bool await_all(struct prof_epoch *epoch, bool poll)
{
    if (epoch->n == 0)
        return true;
    uint32_t *handles = prof_alloc(epoch->n, sizeof *handles);
    for (uint32_t i = 0; i < epoch->n; i++)
        handles[i] = epoch->ops[i]->number;
    struct isp_call call = {.op = ISP_OP_COMPLETE,
                            .mode = ISP_COMPLETE_ALL,
                            .flags = poll ? (uint16_t)(ISP_F_POLL | prof_polled_flags()) : 0,
                            .list = handles,
                            .n = epoch->n};
    struct isp_result result;
    prof_fence(&call, &result);
    free(handles);
    if (poll)
        prof_polled_answer(result.flag);
    if (poll && !result.flag)
        return false;
    for (uint32_t i = 0; i < epoch->n; i++)
        prof_op_consume(epoch->ops[i]);
    return true;
}

static bool is_member(const struct prof_win *w, int world_rank)
{
    for (int i = 0; i < w->n; i++)
        if (w->world[i] == world_rank)
            return true;
    return false;
}

/* The epoch of a group; false: the call is wrong, and MPI has to say so. */
static bool open_epoch(const struct prof_win *w, struct prof_epoch *epoch, MPI_Group group)
{
    int n, *ranks = epoch->ranks || group == MPI_GROUP_NULL ? NULL : prof_group_world(group, &n);
    for (int i = 0; ranks && i < n; i++)
        if (!is_member(w, ranks[i])) {
            free(ranks);
            return false;
        }
    if (ranks)
        *epoch = (struct prof_epoch){.ranks = (uint32_t *)ranks, .n = (uint32_t)n};
    return ranks;
}

int prof_Win_post(enum isp_fn fn, const void *site, MPI_Group group, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_post(group, assert, win);
    struct prof_win *w = prof_win_find(win);
    prof_early_fence_settle(w);
    int rc = prof_epochs_check_post(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    bool opened = w && open_epoch(w, &w->exposure, group);
    rc = PMPI_Win_post(group, assert, win);
    if (opened && rc == MPI_SUCCESS) {
        prof_epochs_post(w);
        signal_all(w, &w->exposure, TAG_POST);
        expect_all(w, &w->exposure, TAG_COMPLETE);
    } else if (opened) {
        prof_epoch_clear(&w->exposure);
    }
    return prof_leave(rc);
}

int prof_Win_start(enum isp_fn fn, const void *site, MPI_Group group, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_start(group, assert, win);
    struct prof_win *w = prof_win_find(win);
    prof_early_fence_settle(w);
    int rc = prof_epochs_check_start(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    bool opened = w && open_epoch(w, &w->access, group);
    if (opened) {
        expect_all(w, &w->access, TAG_POST);
        await_all(&w->access, false);
    }
    rc = PMPI_Win_start(group, assert, win);
    if (opened && rc == MPI_SUCCESS)
        prof_epochs_start(w);
    else if (opened)
        prof_epoch_clear(&w->access);
    return prof_leave(rc);
}

int prof_Win_complete(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_complete(win);
    struct prof_win *w = prof_win_find(win);
    int rc = prof_epochs_check_complete(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    prof_origins_end(w, PROF_ALL_RANKS);
    rc = PMPI_Win_complete(win);
    if (rc == MPI_SUCCESS && w) {
        prof_epochs_complete(w);
        signal_all(w, &w->access, TAG_COMPLETE);
        prof_epoch_clear(&w->access);
        prof_link_flush(); /* who waits for it need not wait for what this rank does next */
    }
    return prof_leave(rc);
}

/* All have called MPI_Win_complete, so it does not wait for the program. */
static int end_exposure(struct prof_win *w)
{
    prof_epoch_clear(&w->exposure);
    int rc = PMPI_Win_wait(w->handle);
    if (rc == MPI_SUCCESS)
        prof_epochs_wait(w);
    return rc;
}

int prof_Win_wait(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_wait(win);
    struct prof_win *w = prof_win_find(win);
    int rc = prof_epochs_check_wait(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    if (!w || !w->exposure.ops)
        return prof_leave(PMPI_Win_wait(win));
    await_all(&w->exposure, false);
    return prof_leave(end_exposure(w));
}

int prof_Win_test(enum isp_fn fn, const void *site, MPI_Win win, int *flag)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_test(win, flag);
    struct prof_win *w = prof_win_find(win);
    int rc = prof_epochs_check_wait(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    if (!w || !flag || !w->exposure.ops)
        return prof_leave(PMPI_Win_test(win, flag));
    *flag = 0;
    if (!await_all(&w->exposure, true))
        return prof_leave(MPI_SUCCESS);
    rc = end_exposure(w);
    *flag = rc == MPI_SUCCESS;
    return prof_leave(rc);
}

/* ---- locks ---- */

static int peer(const struct prof_win *w, int rank)
{
    return rank == PROF_ALL_RANKS ? ISP_ANY_SOURCE : w->world[rank];
}

/* Of a rank that is none MPI_PROC_NULL is right, and MPI complains about the others. */
static bool is_lockable(const struct prof_win *w, int lock_type, int rank)
{
    return w && (rank == PROF_ALL_RANKS || (rank >= 0 && rank < w->n)) &&
           (lock_type == MPI_LOCK_SHARED || lock_type == MPI_LOCK_EXCLUSIVE);
}

static void await_lock(const struct prof_win *w, int lock_type, int rank)
{
    struct isp_call call = {.op = ISP_OP_LOCK,
                            .mode = lock_type == MPI_LOCK_SHARED ? ISP_LOCK_SHARED : ISP_LOCK_EXCLUSIVE,
                            .comm = w->number,
                            .peer = peer(w, rank),
                            .flags = prof_looks_lock()};
    struct isp_result result;
    prof_fence(&call, &result);
}

static void give_back(const struct prof_win *w, int rank)
{
    struct isp_call call = {.op = ISP_OP_UNLOCK, .comm = w->number, .peer = peer(w, rank)};
    prof_record(&call);
}

/* MPI_Win_lock, and MPI_Win_lock_all (PROF_ALL_RANKS). */
static int lock(int lock_type, int rank, int assert, MPI_Win win)
{
    struct prof_win *w = prof_win_find(win);
    prof_early_fence_settle(w);
    int rc = prof_epochs_check_lock(w, rank);
    if (rc != MPI_SUCCESS)
        return rc;
    bool waited = is_lockable(w, lock_type, rank);
    if (waited)
        await_lock(w, lock_type, rank);
    rc =
        rank == PROF_ALL_RANKS ? PMPI_Win_lock_all(assert, win) : PMPI_Win_lock(lock_type, rank, assert, win);
    if (waited && rc == MPI_SUCCESS)
        prof_epochs_lock(w, rank, lock_type == MPI_LOCK_SHARED ? PROF_EPOCH_SHARED : PROF_EPOCH_EXCLUSIVE);
    else if (waited)
        give_back(w, rank);
    if (waited && rank == w->rank)
        prof_window_own_lock(w);
    prof_looks_leave();
    return rc;
}

static int unlock(int rank, MPI_Win win)
{
    struct prof_win *w = prof_win_find(win);
    int rc = prof_epochs_check_unlock(w, rank);
    if (rc != MPI_SUCCESS)
        return rc;
    prof_origins_end(w, rank);
    rc = rank == PROF_ALL_RANKS ? PMPI_Win_unlock_all(win) : PMPI_Win_unlock(rank, win);
    if (rc == MPI_SUCCESS && is_lockable(w, MPI_LOCK_SHARED, rank)) {
        prof_epochs_unlock(w, rank);
        if (rank == w->rank)
            prof_window_own_unlock(w);
        give_back(w, rank);
    }
    prof_looks_leave();
    return rc;
}

/* A rank that a program passes is never PROF_ALL_RANKS: MPI has to complain about that. */
static int plain(int rank) { return rank == PROF_ALL_RANKS ? PROF_ALL_RANKS - 1 : rank; }

int prof_Win_lock(enum isp_fn fn, const void *site, int lock_type, int rank, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_lock(lock_type, rank, assert, win);
    return prof_leave(lock(lock_type, plain(rank), assert, win));
}

int prof_Win_unlock(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_unlock(rank, win);
    return prof_leave(unlock(plain(rank), win));
}

int prof_Win_lock_all(enum isp_fn fn, const void *site, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_lock_all(assert, win);
    return prof_leave(lock(MPI_LOCK_SHARED, PROF_ALL_RANKS, assert, win));
}

int prof_Win_unlock_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_unlock_all(win);
    return prof_leave(unlock(PROF_ALL_RANKS, win));
}
