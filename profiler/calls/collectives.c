/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that create nothing. A blocking one: the rank waits until all members are there (that is what
 * zero buffering means), and then the generated wrapper calls MPI; when sends are buffered, it may leave
 * early (early.c). A nonblocking one is an operation with a request, issued with the others (fence.c) when
 * all members have called it.
 */
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/hold.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "kept/early.h"
#include "kept/kept.h"
#include "memory/buffers.h"
#include "memory/pending.h"
#include "persistent.h"
#include "tables/communicators.h"

bool prof_collective_enter(struct prof_collective *collective, enum isp_fn fn, const void *site)
{
    collective->error = MPI_SUCCESS;
    if (prof_enter(fn, site))
        return true;
    prof_depth++; /* MPI itself answers; prof_collective_end must not leave what was not entered */
    collective->error = -1;
    return false;
}

bool prof_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                           MPI_Comm comm, int root, MPI_Op op)
{
    if (!prof_collective_enter(collective, fn, site))
        return true;
    struct prof_comm *c = prof_comm_use(&comm);
    int32_t world;
    if (!c || !prof_root_find(c, root, &world))
        return true; /* an error, and MPI will say so without communicating */
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE,
        .mode = ISP_MAKE_NOTHING,
        .comm = c->number,
        .root = world,
        .redop = prof_redop_number(op),
    };
    struct isp_result result;
    prof_fence(&call, &result);
    return true;
}

int prof_collective_end(struct prof_collective *collective, int rc)
{
    if (collective->error == MPI_SUCCESS)
        return prof_leave(rc);
    prof_depth--;
    return rc;
}

/* The rank goes on when the scheduler says so, be the collective done or not. */
static int leave_early(struct prof_kept *kept)
{
    struct prof_op *op = prof_op_post_collective(kept, ISP_F_FENCE);
    int error = op->error;
    prof_op_let_go(op);
    return prof_leave(prof_error_raise(kept->comm->handle, error));
}

bool prof_blocking(struct prof_collective *collective, const struct prof_form *form, enum isp_fn fn,
                   const void *site, void *arguments)
{
    if (!prof_collective_enter(collective, fn, site))
        return false;
    struct prof_kept *kept = prof_kept_create(form, fn, site, arguments);
    if (!kept)
        return false;
    prof_pending_meets_collective(kept);
    bool early = prof_early_is_needed(kept);
    if (early) {
        collective->error = leave_early(kept);
    } else {
        struct isp_call call = prof_kept_call(kept);
        if (prof_hold_is_used())
            prof_buffers_tell(&call, kept);
        struct isp_result result;
        prof_fence(&call, &result);
    }
    prof_kept_drop(kept);
    return early;
}

int prof_nonblocking(const struct prof_form *form, const void *site, void *arguments, MPI_Request *request)
{
    if (!prof_enter(form->fn, site))
        return form->issue(arguments, request);
    struct prof_kept *kept = request ? prof_kept_create(form, form->fn, site, arguments) : NULL;
    if (!kept)
        return prof_leave(form->issue(arguments, request));
    prof_op_give(prof_op_post_collective(kept, 0), request);
    prof_kept_drop(kept);
    return prof_leave(MPI_SUCCESS);
}

bool prof_persistent_collective(struct prof_collective *collective, const struct prof_form *form,
                                enum isp_fn fn, const void *site, void *arguments, MPI_Request *request)
{
    if (!prof_collective_enter(collective, fn, site))
        return false;
    struct prof_kept *kept = request ? prof_kept_create(form, fn, site, arguments) : NULL;
    if (!kept)
        return false;
    kept->persistent = ++kept->comm->persistent;
    prof_persistent_create(kept, request);
    prof_leave(MPI_SUCCESS);
    return true;
}
