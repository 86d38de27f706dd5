/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses without request, and what completes them. They happen inside MPI alone, at once; no other rank has to do anything
 * for them. A rank that polls a window with them is told from one that works by polling.h.
 *
 * They do not take the lock of thread.h: MPI may need another thread of this rank to get on.
 */
#include "rma.h"

#include "epoch_rules.h"
#include "prof.h"
#include "prof_calls.h"
#include "windows.h"

int prof_rma_check(const struct prof_rma *a)
{
    struct prof_win *w = prof_win_find(a->win);
    return prof_epochs_check_access(w, a->target, a->request);
}

/* Of a call that was entered: makes it if it may be made. */
#define GUARDED(CHECK, CALL)               \
    do {                                   \
        prof_enter_access(fn, site);       \
        int wrong = CHECK;                 \
        return wrong != MPI_SUCCESS ? wrong : CALL; \
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
    struct prof_rma a = {ORIGIN, TARGET_BUFFER};
    GUARDED(prof_rma_check(&a), PMPI(Put, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                                     target_datatype, win));
}

int prof_Get(enum isp_fn fn, const void *site, void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct prof_rma a = {.result = origin_addr, .result_count = origin_count, .result_type = origin_datatype, TARGET_BUFFER};
    GUARDED(prof_rma_check(&a), PMPI(Get, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                                     target_datatype, win));
}

int prof_Accumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {ORIGIN, TARGET_BUFFER, .op = op};
    GUARDED(prof_rma_check(&a), PMPI(Accumulate, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                     target_count, target_datatype, op, win));
}

int prof_Get_accumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                        MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                        MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                        MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {ORIGIN, TARGET_BUFFER, .op = op, .result = result_addr, .result_count = result_count,
                         .result_type = result_datatype};
    GUARDED(prof_rma_check(&a), PMPI(Get_accumulate, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                     result_datatype, target_rank, target_disp, target_count, target_datatype, op, win));
}

#define ONE_ITEM .origin_count = 1, .origin_type = datatype, .result = result_addr, .result_count = 1, \
                 .result_type = datatype, .target_count = 1, .target_type = datatype

int prof_Fetch_and_op(enum isp_fn fn, const void *site, const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                      int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct prof_rma a = {.origin = origin_addr, ONE_ITEM, TARGET, .op = op};
    GUARDED(prof_rma_check(&a),
            PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
}

int prof_Compare_and_swap(enum isp_fn fn, const void *site, const void *origin_addr, const void *compare_addr,
                          void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    struct prof_rma a = {.origin = origin_addr, ONE_ITEM, TARGET, .op = MPI_OP_NULL};
    GUARDED(prof_rma_check(&a),
            PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win));
}

/* ---- completion ---- */

static int check_flush(MPI_Win win, int rank)
{
    return prof_epochs_check_flush(prof_win_find(win), rank);
}

int prof_Win_flush(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    GUARDED(check_flush(win, rank), PMPI_Win_flush(rank, win));
}

int prof_Win_flush_local(enum isp_fn fn, const void *site, int rank, MPI_Win win)
{
    GUARDED(check_flush(win, rank), PMPI_Win_flush_local(rank, win));
}

int prof_Win_flush_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(check_flush(win, PROF_ALL_RANKS), PMPI_Win_flush_all(win));
}

int prof_Win_flush_local_all(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(check_flush(win, PROF_ALL_RANKS), PMPI_Win_flush_local_all(win));
}

int prof_Win_sync(enum isp_fn fn, const void *site, MPI_Win win)
{
    GUARDED(prof_epochs_check_sync(prof_win_find(win)), PMPI_Win_sync(win));
}

/* ---- memory of dynamic windows ---- */

int prof_Win_attach(enum isp_fn fn, const void *site, MPI_Win win, void *base, MPI_Aint size)
{
    prof_enter_access(fn, site);
    return PMPI_Win_attach(win, base, size);
}

int prof_Win_detach(enum isp_fn fn, const void *site, MPI_Win win, const void *base)
{
    prof_enter_access(fn, site);
    return PMPI_Win_detach(win, base);
}
