/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_fence that ends no epoch: see early_fence.h. */
#include "early_fence.h"

#include "base/alloc.h"
#include "engine/ahead.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "tables/communicators.h"
#include "threads/thread.h"

struct fence {
    MPI_Win win;
    int assert;
};

bool prof_early_fence_may(const struct prof_win *w, int assert)
{
    return w && (assert &MPI_MODE_NOPRECEDE) && prof_settings()->buffered && !prof_threads_own_order;
}

void prof_early_fence_begin(struct prof_win *w, int assert, struct isp_call *call)
{
    struct prof_op *op = prof_op_create_plain(PROF_OP_WIN_FENCE, prof_comm_find(MPI_COMM_SELF));
    struct fence *f = op->access = prof_alloc(1, sizeof *f);
    *f = (struct fence){w->handle, assert};
    call->flags |= ISP_F_SLOT;
    call->handle = op->number;
    w->early = op;
    prof_record(call);
    prof_ahead_issue(op, call);
}

int prof_early_fence_issue(struct prof_op *op)
{
    const struct fence *f = op->access;
    return PMPI_Win_fence(f->assert, f->win);
}

void prof_early_fence_settle(struct prof_win *w)
{
    if (!w || !w->early)
        return;
    struct prof_op *op = w->early;
    struct isp_call call = {.op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .list = &op->number, .n = 1};
    struct isp_result result;
    w->early = NULL;
    prof_fence(&call, &result);
    prof_op_consume(op);
}

void prof_early_fence_settle_access(struct prof_win *w)
{
    if (!w || !w->early || !prof_enter(prof_current.fn, prof_current.site))
        return;
    prof_early_fence_settle(w);
    prof_leave(MPI_SUCCESS);
}
