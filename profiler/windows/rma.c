/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses without request, and what completes them. They happen inside MPI alone, at once; no other rank has
 * to do anything for them. A rank that polls a window with them is told from one that works by polling.h.
 *
 * They do not take the lock of thread.h: MPI may need another thread of this rank to get on.
 */
#include "rma.h"

#include <stdio.h>

#include "early_fence.h"
#include "engine/errors.h"
#include "engine/prof.h"
#include "epoch_rules.h"
#include "link/finding.h"
#include "link/uplink.h"
#include "looks.h"
#include "memory/regions.h"
#include "prof_calls.h"
#include "threads/thread.h"
#include "turns.h"
#include "types/types.h"
#include "watch/watching.h"
#include "windows.h"

/* The memory of the target that it means; false: that is not known, or MPI has to say what is wrong with
 * it. */
static bool find_region(const struct prof_win *w, const struct prof_rma *a, struct prof_region *region)
{
    if (!w->memory.parts || a->target < 0 || a->target >= w->n || a->target_count <= 0 ||
        prof_type_is_freed(a->target_type))
        return false;
    const struct prof_window_part *part = &w->memory.parts[a->target];
    uint64_t at = w->memory.dynamic ? (uint64_t)a->disp : part->base + (uint64_t)(part->disp_unit * a->disp);
    MPI_Count size;
    struct prof_type *entry;
    return prof_type_find(a->target_type, &size, &entry) &&
           prof_region_init(region, (void *)(uintptr_t)at, a->target_count, a->target_type);
}

/* Within the target's window? */
static int check_range(const struct prof_win *w, const struct prof_rma *a, const struct prof_region *region)
{
    const struct prof_window_part *part = &w->memory.parts[a->target];
    if (w->memory.dynamic || region->low == region->high ||
        (region->low >= part->base && region->high <= part->base + part->size))
        return MPI_SUCCESS;
    char text[200];
    snprintf(text, sizeof text,
             "bytes %jd to %jd of the window of rank %d are accessed (displacement %jd times %jd bytes), "
             "but it has %ju bytes",
             (intmax_t)(region->low - part->base), (intmax_t)(region->high - part->base) - 1, a->target,
             (intmax_t)a->disp, (intmax_t)part->disp_unit, (uintmax_t)part->size);
    return prof_error_raise_window(&(struct prof_finding){.rule = ISP_RULE_INVALID_ARGUMENT, .text = text},
                                   w->handle, MPI_ERR_RMA_RANGE);
}

int prof_rma_check(const struct prof_rma *a)
{
    bool checked = !prof_settings()->unchecked;
    struct prof_win *w = prof_win_find(a->win);
    prof_early_fence_settle_access(w);
    int rc = checked ? prof_epochs_check_access(w, a->target, a->request) : MPI_SUCCESS;
    struct prof_region region;
    if (rc != MPI_SUCCESS || !w || !find_region(w, a, &region))
        return rc;
    rc = checked ? check_range(w, a, &region) : MPI_SUCCESS;
    if (rc == MPI_SUCCESS) {
        prof_window_tell(w, a, &region);
        if (a->kind == ISP_ACCESS_PUT || a->kind == ISP_ACCESS_ACCUMULATE)
            prof_looks_over();
        prof_origins_begin(w, a);
    }
    prof_region_finish(&region);
    return rc;
}

static void enter(enum isp_fn fn, const void *site)
{
    prof_enter_local(fn, site, false);
    if (prof_phase == PROF_RUNNING)
        prof_window_memory_enter();
    prof_enter_access(fn, site);
}

static void leave(void)
{
    if (prof_phase != PROF_RUNNING)
        return;
    prof_looks_leave();
    prof_window_memory_leave();
    if (!prof_threads_own_order || !prof_threads_several())
        prof_watch_leave(); /* what became pending here is watched from here on */
}

/* Makes the call if it may be made. */
#define GUARDED(CHECK, CALL)   \
    do {                       \
        enter(fn, site);       \
        int rc = CHECK;        \
        if (rc == MPI_SUCCESS) \
            rc = CALL;         \
        leave();               \
        return rc;             \
    } while (0)

/* The same for an access that needs its turn: only then the call steers the run. */
#define MAYBE_IN_TURN(COMPARE, CALL)                         \
    do {                                                     \
        if (!prof_turn_is_needed(&a))                        \
            GUARDED(prof_rma_check(&a), CALL);               \
        if (!prof_enter(fn, site))                           \
            return CALL;                                     \
        int rc = prof_rma_check(&a);                         \
        if (rc != MPI_SUCCESS)                               \
            return prof_leave(rc);                           \
        prof_turn_await(&a);                                 \
        return prof_leave(prof_turn_end(&a, CALL, COMPARE)); \
    } while (0)

/* X_c if the program called that, with counts as wide as it has them. */
#define PMPI(X, ...) (fn == ISP_FN_MPI_##X##_c ? PMPI_##X##_c(__VA_ARGS__) : PMPI_##X(__VA_ARGS__))

#define TARGET .target = target_rank, .disp = target_disp, .win = win
#define TARGET_BUFFER TARGET, .target_count = target_count, .target_type = target_datatype
#define ORIGIN .origin = origin_addr, .origin_count = origin_count, .origin_type = origin_datatype

int prof_Put(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
             MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
             MPI_Datatype target_datatype, MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_PUT, ORIGIN, TARGET_BUFFER};
    GUARDED(prof_rma_check(&a), PMPI(Put, origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win));
}

int prof_Get(enum isp_fn fn, const void *site, void *origin_addr, MPI_Count origin_count,
             MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
             MPI_Datatype target_datatype, MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_GET,
                         .result = origin_addr,
                         .result_count = origin_count,
                         .result_type = origin_datatype,
                         TARGET_BUFFER};
    GUARDED(prof_rma_check(&a), PMPI(Get, origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win));
}

int prof_Accumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                    MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_ACCUMULATE, ORIGIN, TARGET_BUFFER, .op = op};
    MAYBE_IN_TURN(NULL, PMPI(Accumulate, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                             target_count, target_datatype, op, win));
}

int prof_Get_accumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                        MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                        MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                        MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_FETCH,
                         ORIGIN,
                         TARGET_BUFFER,
                         .op = op,
                         .result = result_addr,
                         .result_count = result_count,
                         .result_type = result_datatype};
    MAYBE_IN_TURN(NULL,
                  PMPI(Get_accumulate, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                       result_datatype, target_rank, target_disp, target_count, target_datatype, op, win));
}

#define ONE_ITEM                                                                          \
    .origin_count = 1, .origin_type = datatype, .result = result_addr, .result_count = 1, \
    .result_type = datatype, .target_count = 1, .target_type = datatype

int prof_Fetch_and_op(enum isp_fn fn, const void *site, const void *origin_addr, void *result_addr,
                      MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_FETCH, .origin = origin_addr, ONE_ITEM, TARGET, .op = op};
    MAYBE_IN_TURN(NULL,
                  PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
}

int prof_Compare_and_swap(enum isp_fn fn, const void *site, const void *origin_addr, const void *compare_addr,
                          void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp,
                          MPI_Win win)
{
    struct prof_rma a = {.kind = ISP_ACCESS_SWAP, .origin = origin_addr, ONE_ITEM, TARGET, .op = MPI_OP_NULL};
    MAYBE_IN_TURN(compare_addr, PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype,
                                                      target_rank, target_disp, win));
}

/* ---- completion ---- */

/* Told before it is done: the rank tells nothing else meanwhile. */
static int check_flush(MPI_Win win, int rank, bool local)
{
    struct prof_win *w = prof_win_find(win);
    prof_early_fence_settle_access(w);
    int rc = prof_epochs_check_flush(w, rank);
    if (rc == MPI_SUCCESS && w && (rank == PROF_ALL_RANKS || (rank >= 0 && rank < w->n))) {
        /* now: buffers of before may be pending */
        bool several = prof_threads_own_order && prof_threads_several();
        prof_window_tell_flush(w, rank, local);
        if (several)
            prof_threads_enter();
        prof_origins_end(w, rank);
        if (several)
            prof_threads_leave();
    }
    return rc;
}

int prof_Win_flush(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    GUARDED(check_flush(win, rank, false), PMPI_Win_flush(rank, win));
}

int prof_Win_flush_local(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    GUARDED(check_flush(win, rank, true), PMPI_Win_flush_local(rank, win));
}

int prof_Win_flush_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(check_flush(win, PROF_ALL_RANKS, false), PMPI_Win_flush_all(win));
}

int prof_Win_flush_local_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(check_flush(win, PROF_ALL_RANKS, true), PMPI_Win_flush_local_all(win));
}

int prof_Win_sync(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(prof_epochs_check_sync(prof_win_find(win)), PMPI_Win_sync(win));
}

/* ---- memory of dynamic windows ---- */

int prof_Win_attach(enum isp_fn fn, const void *site, MPI_Win win, void *base, MPI_Aint size)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_attach(win, base, size);
    struct prof_win *w = prof_win_find(win);
    int rc = PMPI_Win_attach(win, base, size);
    if (w && rc == MPI_SUCCESS)
        prof_window_memory_attach(w, base, size);
    return prof_leave(rc);
}

int prof_Win_detach(enum isp_fn fn, const void *site, MPI_Win win, const void *base)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_detach(win, base);
    struct prof_win *w = prof_win_find(win);
    int rc = PMPI_Win_detach(win, base);
    if (w && rc == MPI_SUCCESS)
        prof_window_memory_detach(w, base);
    return prof_leave(rc);
}
