/* SPDX-License-Identifier: BSD-3-Clause */
/* Fences and batches: see fence.h. */
#include "fence.h"

#include <stdlib.h>

#include "errors.h"
#include "kept.h"
#include "operations.h"
#include "prof.h"
#include "uplink.h"

static uint32_t *positions; /* of the last result */
static uint32_t positions_room;

void prof_record(struct isp_call *call)
{
    if (call->fn == ISP_FN_NONE)
        call->fn = (uint16_t)prof_current.fn;
    prof_link_call(call, prof_current.site);
}

static struct prof_op **batch;
static uint32_t batch_room;

/* An error belongs to the call that completes the operation for the program: so no handler of the
 * program's is called in here. */
static MPI_Errhandler silence(const struct prof_comm *c)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (c->handler) {
        PMPI_Comm_get_errhandler(c->handle, &handler);
        PMPI_Comm_set_errhandler(c->handle, MPI_ERRORS_RETURN);
    }
    return handler;
}

static void unsilence(const struct prof_comm *c, MPI_Errhandler handler)
{
    if (!c->handler)
        return;
    PMPI_Comm_set_errhandler(c->handle, handler);
    PMPI_Errhandler_free(&handler);
}

/* number: of the communicator that it makes */
static void issue_collective(struct prof_op *op, int32_t number)
{
    MPI_Errhandler handler = silence(op->comm);
    op->kept->made = number;
    op->error = op->kept->form->issue(op->kept->arguments, &op->real);
    unsilence(op->comm, handler);
}

static void issue(struct prof_op *op, const struct isp_action *action)
{
    struct prof_comm *c = op->comm;
    if (op->kind == PROF_OP_COLLECTIVE) {
        issue_collective(op, action->peer);
        return;
    }
    int peer = action->peer >= 0 && action->peer < prof_world_size ? prof_comm_local(c, action->peer) : -1;
    if (peer < 0)
        prof_link_broken();
    /* A plain send for every mode: its receive is issued in the same move. */
    op->error = op->kind == PROF_OP_SEND
                    ? PMPI_Isend_c(op->buf, op->count, op->datatype, peer, action->tag, c->handle, &op->real)
                    : PMPI_Irecv_c(op->buf, op->count, op->datatype, peer, action->tag, c->handle, &op->real);
}

/* Completes one issued operation. MPICH writes what it likes into the status of a collective. */
static void complete(struct prof_op *op)
{
    if (op->error != MPI_SUCCESS)
        return;
    MPI_Errhandler handler = silence(op->comm);
    op->error = PMPI_Wait(&op->real, op->kind == PROF_OP_COLLECTIVE ? MPI_STATUS_IGNORE : &op->status);
    unsilence(op->comm, handler);
    if (op->kind == PROF_OP_COLLECTIVE && op->kept->finish && op->error == MPI_SUCCESS)
        op->kept->finish(op->kept);
}

static void run_batch(struct isp_reader *r)
{
    uint32_t n = isp_get_u32(r), issued = 0;
    if (n == 0)
        return;
    if (n > (size_t)(r->end - r->at) / 13)
        prof_link_broken();
    if (n > batch_room) {
        batch_room = 2 * n;
        batch = realloc(batch, batch_room * sizeof *batch);
        if (!batch)
            abort();
    }
    prof_errors_quiet(true);
    for (uint32_t i = 0; i < n; i++) {
        struct isp_action action;
        isp_get_action(r, &action);
        struct prof_op *op = prof_op_at(action.handle);
        if (!r->ok || !op || op->done)
            prof_link_broken();
        if (action.kind == ISP_ACTION_CANCEL) {
            PMPI_Status_set_cancelled(&op->status, 1);
            prof_op_done(op);
        } else if (op->kind == PROF_OP_SIGNAL) {
            prof_op_done(op);
        } else {
            issue(op, &action);
            batch[issued++] = op;
        }
    }
    for (uint32_t i = 0; i < issued; i++)
        complete(batch[i]);
    prof_errors_quiet(false);
    for (uint32_t i = 0; i < issued; i++)
        prof_op_done(batch[i]);
}

static void read_result(struct isp_reader *r, struct isp_result *result)
{
    /* The list is the last field of the frame: its room is bounded by what is left. */
    size_t most = (size_t)(r->end - r->at) / 4;
    if (most > positions_room) {
        positions_room = (uint32_t)(2 * most);
        free(positions);
        positions = malloc(positions_room * sizeof *positions);
        if (!positions)
            abort();
    }
    isp_get_result(r, result, positions, positions_room);
    if (!r->ok)
        prof_link_broken();
}

void prof_fence(struct isp_call *call, struct isp_result *result)
{
    call->flags |= ISP_F_FENCE;
    prof_record(call);
    prof_link_flush();
    for (;;) {
        struct isp_reader r;
        if (prof_link_receive(&r) != ISP_MSG_GO)
            prof_link_broken();
        run_batch(&r);
        bool release = isp_get_u8(&r) != 0;
        if (release)
            read_result(&r, result);
        if (!r.ok)
            prof_link_broken();
        if (release)
            return;
    }
}
