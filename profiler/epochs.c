/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Epochs of two kinds (MPI-4.0, sections 12.5.2 and 12.5.3).
 *
 * Post, start, complete and wait are messages that MPI never sees (ISP_F_SIGNAL): MPI_Win_post sends one to each rank
 * of its group, MPI_Win_start waits for those; MPI_Win_complete sends one back, MPI_Win_wait waits for
 * those. MPI lets start and complete block until the other side is there, so this finds what can deadlock.
 *
 * A lock is one that the scheduler gives; MPI is asked for it only then, and so never has to wait for it.
 */
#include <stdlib.h>

#include "alloc.h"
#include "communicators.h"
#include "fence.h"
#include "operations.h"
#include "prof.h"
#include "prof_calls.h"
#include "uplink.h"
#include "windows.h"

enum { TAG_POST = 1, TAG_COMPLETE };
enum { ALL = -100 }; /* as a rank: MPI_Win_lock_all */

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
    struct isp_call call = {.op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .flags = poll ? ISP_F_POLL : 0,
                            .list = handles, .n = epoch->n};
    struct isp_result result;
    prof_fence(&call, &result);
    free(handles);
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
    bool opened = w && open_epoch(w, &w->exposure, group);
    int rc = PMPI_Win_post(group, assert, win);
    if (opened && rc == MPI_SUCCESS) {
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
    bool opened = w && open_epoch(w, &w->access, group);
    if (opened) {
        expect_all(w, &w->access, TAG_POST);
        await_all(&w->access, false);
    }
    int rc = PMPI_Win_start(group, assert, win);
    if (opened && rc != MPI_SUCCESS)
        prof_epoch_clear(&w->access);
    return prof_leave(rc);
}

int prof_Win_complete(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_complete(win);
    struct prof_win *w = prof_win_find(win);
    int rc = PMPI_Win_complete(win);
    if (rc == MPI_SUCCESS && w) {
        signal_all(w, &w->access, TAG_COMPLETE);
        prof_epoch_clear(&w->access);
        prof_link_flush(); /* who waits for it need not wait for what this rank does next */
    }
    return prof_leave(rc);
}

int prof_Win_wait(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_wait(win);
    struct prof_win *w = prof_win_find(win);
    if (w && w->exposure.ops) {
        await_all(&w->exposure, false);
        prof_epoch_clear(&w->exposure);
    }
    return prof_leave(PMPI_Win_wait(win));
}

int prof_Win_test(enum isp_fn fn, const void *site, MPI_Win win, int *flag)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_test(win, flag);
    struct prof_win *w = prof_win_find(win);
    if (!w || !flag || !w->exposure.ops)
        return prof_leave(PMPI_Win_test(win, flag));
    *flag = 0;
    if (!await_all(&w->exposure, true))
        return prof_leave(MPI_SUCCESS);
    prof_epoch_clear(&w->exposure);
    int rc = PMPI_Win_wait(win); /* all have called MPI_Win_complete, so it does not wait for the program */
    *flag = rc == MPI_SUCCESS;
    return prof_leave(rc);
}

/* ---- locks ---- */

/* Which ranks (or all) this rank has locked: what is wrong goes to MPI at once, since the scheduler would wait for ever. */
static bool *locked(struct prof_win *w, int rank)
{
    if (!w || rank >= w->n || (rank < 0 && rank != ALL))
        return NULL; /* MPI_PROC_NULL, or nonsense */
    if (!w->locked)
        w->locked = prof_alloc((size_t)w->n + 1, sizeof *w->locked);
    return rank == ALL ? &w->locked[w->n] : &w->locked[rank];
}

static int peer(const struct prof_win *w, int rank)
{
    return rank == ALL ? ISP_ANY_SOURCE : w->world[rank];
}

static bool is_any_locked(const struct prof_win *w)
{
    for (int i = 0; i <= w->n; i++)
        if (w->locked[i])
            return true;
    return false;
}

/* Waits for the lock; false: there is nothing to wait for. */
static bool lock(struct prof_win *w, int lock_type, int rank)
{
    bool *mine = locked(w, rank);
    if (!mine || *mine || w->locked[w->n] || (rank == ALL && is_any_locked(w)) ||
        (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE))
        return false;
    struct isp_call call = {.op = ISP_OP_LOCK,
                            .mode = lock_type == MPI_LOCK_SHARED ? ISP_LOCK_SHARED : ISP_LOCK_EXCLUSIVE,
                            .comm = w->number, .peer = peer(w, rank)};
    struct isp_result result;
    prof_fence(&call, &result);
    return *mine = true;
}

static void unlock(struct prof_win *w, int rank)
{
    bool *mine = locked(w, rank);
    if (!mine || !*mine)
        return;
    *mine = false;
    struct isp_call call = {.op = ISP_OP_UNLOCK, .comm = w->number, .peer = peer(w, rank)};
    prof_record(&call);
}

int prof_Win_lock(enum isp_fn fn, const void *site, int lock_type, int rank, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_lock(lock_type, rank, assert, win);
    struct prof_win *w = prof_win_find(win);
    bool waited = rank >= 0 && lock(w, lock_type, rank);
    int rc = PMPI_Win_lock(lock_type, rank, assert, win);
    if (waited && rc != MPI_SUCCESS)
        unlock(w, rank);
    return prof_leave(rc);
}

int prof_Win_unlock(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_unlock(rank, win);
    int rc = PMPI_Win_unlock(rank, win);
    if (rc == MPI_SUCCESS && rank >= 0)
        unlock(prof_win_find(win), rank);
    return prof_leave(rc);
}

int prof_Win_lock_all(enum isp_fn fn, const void *site, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_lock_all(assert, win);
    struct prof_win *w = prof_win_find(win);
    bool waited = lock(w, MPI_LOCK_SHARED, ALL);
    int rc = PMPI_Win_lock_all(assert, win);
    if (waited && rc != MPI_SUCCESS)
        unlock(w, ALL);
    return prof_leave(rc);
}

int prof_Win_unlock_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_unlock_all(win);
    int rc = PMPI_Win_unlock_all(win);
    if (rc == MPI_SUCCESS)
        unlock(prof_win_find(win), ALL);
    return prof_leave(rc);
}
