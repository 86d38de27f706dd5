/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that go ahead, up to their fences: see ahead.h. */
#include "ahead.h"

#include "ahead_inside.h"
#include "ahead_operations.h"
#include "ahead_rest.h"
#include "base/errors_quiet.h"
#include "errors.h"
#include "forced.h"
#include "hooks.h"
#include "isp/outcome.h"
#include "kept/kept.h"
#include "link/uplink.h"
#include "prof.h"
#include "probed.h"
#include "tables/communicators.h"
#include "threads/thread.h"

static uint64_t made;    /* transitions so far */
static uint64_t present; /* index of the last one */
static int32_t made_comms;

uint64_t prof_ahead_present(void) { return present; }
uint64_t prof_ahead_next(void) { return made; }

bool prof_ahead_is_on(void) { return prof_settings()->ahead; }

void prof_ahead_begin(void)
{
    if (prof_ahead_is_on())
        prof_forced_begin();
}

void prof_ahead_refuse(const char *what)
{
    if (!prof_ahead_is_on())
        return;
    isp_put_str(prof_link_begin(ISP_MSG_NOT_AHEAD), what);
    prof_link_end();
    prof_link_flush();
    prof_link_await_end();
}

void prof_ahead_meeting(int32_t number, const struct prof_comm *parent)
{
    if (prof_ahead_is_on() && !parent->inter) /* of an intercommunicator MPI makes none */
        prof_comm_add_meeting(number, parent);
}

void prof_ahead_no_meeting(int32_t number)
{
    if (prof_ahead_is_on())
        prof_comm_drop_meeting(number);
}

bool prof_ahead_can_be_done(const struct isp_call *c)
{
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV: return !(c->flags & (ISP_F_HELD | ISP_F_PARTITIONED));
    case ISP_OP_COLLECTIVE: return c->mode != ISP_MAKE_NOTHING || c->key == 0;
    case ISP_OP_CANCEL: return prof_op_at(c->handle)->kind == PROF_OP_RECV;
    case ISP_OP_READY:
    case ISP_OP_ADMIT: return false;
    default: return true;
    }
}

/* A fence that the rank does not leave before isp has decided. */
static bool is_for_isp(const struct isp_call *c)
{
    bool decides = c->op == ISP_OP_FINALIZE || c->op == ISP_OP_DETACH || c->op == ISP_OP_LOCK;
    return decides || (c->flags & ISP_F_POLL && !prof_ahead_has_seen());
}

void prof_ahead_record(struct isp_call *call)
{
    if (!prof_ahead_can_be_done(call))
        prof_ahead_refuse(isp_fn_name(prof_current.fn));
    if (prof_threads_own_order && (prof_threads_several() || call->thread != 0))
        prof_ahead_refuse("several threads may call MPI");
    if (call->flags & ISP_F_FENCE && is_for_isp(call))
        call->flags |= ISP_F_ASKS;
    present = made++;
}

void prof_ahead_meet_members(const struct isp_call *call)
{
    struct prof_comm *c = prof_comm_of_number(call->comm);
    if (!c || call->flags & (ISP_F_SUBSET | ISP_F_INTERNAL) || call->mode == ISP_MAKE_INTER) {
        prof_link_flush();
        return;
    }
    MPI_Request all = MPI_REQUEST_NULL;
    int error;
    struct prof_ahead_rest r = {.many = true};
    prof_errors_quiet(true);
    PMPI_Ibarrier(c->handle, &all);
    while (!prof_ahead_has_come(&all, MPI_STATUS_IGNORE, &error))
        prof_ahead_rest(&r);
    prof_ahead_rested(&r);
    prof_errors_quiet(false);
    prof_link_offer(false); /* of calls that do not go together MPI may not return */
}

/* ---- into MPI ---- */

static void issue_send(struct prof_op *op, const struct isp_call *call, int peer)
{
    const struct prof_comm *c = op->comm;
    bool waits = call->mode == ISP_SEND_SYNC; /* for its receive */
    op->leaves = call->mode == ISP_SEND_BUFFERED || (prof_settings()->buffered && !waits);
    waits |= !op->leaves && !prof_settings()->eager;
    /* a ready send is no other: its receive may come later here than it would without isp */
    op->error = waits ? PMPI_Issend_c(op->buf, op->count, op->datatype, peer, call->tag, c->handle, &op->real)
                      : PMPI_Isend_c(op->buf, op->count, op->datatype, peer, call->tag, c->handle, &op->real);
    if (op->leaves)
        prof_ahead_leave(op);
}

void prof_ahead_find_message(const struct isp_call *call, const struct prof_comm *c, int *peer, int *tag)
{
    const struct isp_outcome *forced = call->peer == ISP_ANY_SOURCE ? prof_forced_find(present) : NULL;
    int32_t source = forced ? forced->source : call->peer;
    *peer = source == ISP_ANY_SOURCE ? MPI_ANY_SOURCE : prof_comm_local(c, source);
    *tag = forced ? forced->tag : call->tag == ISP_ANY_TAG ? MPI_ANY_TAG : call->tag;
}

static void issue_receive(struct prof_op *op, const struct isp_call *call)
{
    const struct prof_comm *c = op->comm;
    int peer, tag;
    if (call->mode == ISP_RECV_MESSAGE) {
        struct prof_op *probe = prof_op_at(call->list[0]);
        op->error = PMPI_Imrecv_c(op->buf, op->count, op->datatype, &probe->message, &op->real);
        return;
    }
    prof_ahead_find_message(call, c, &peer, &tag);
    prof_probed_forget((struct prof_probed){c, peer, tag});
    op->error = PMPI_Irecv_c(op->buf, op->count, op->datatype, peer, tag, c->handle, &op->real);
    if (isp_call_tells_message(call) && op->error == MPI_SUCCESS) {
        prof_ahead_open(op);
    }
}

/* MPI_Win_post and its like (profiler/windows/epochs.c): here MPI carries them. */
static void issue_signal(struct prof_op *op, const struct isp_call *call)
{
    const struct prof_comm *c = prof_comm_of_number(call->comm);
    int peer = prof_comm_local(c, call->peer);
    op->leaves = call->op == ISP_OP_SEND;
    op->error = op->leaves ? PMPI_Isend(NULL, 0, MPI_BYTE, peer, call->tag, c->handle, &op->real)
                           : PMPI_Irecv(NULL, 0, MPI_BYTE, peer, call->tag, c->handle, &op->real);
    if (op->leaves)
        prof_ahead_leave(op);
}

int32_t prof_ahead_number_made(uint8_t make)
{
    return isp_makes_communicator(make) ? ISP_COMMS_AHEAD + made_comms++ : ISP_NO_COMM;
}

/* Without buffering a collective is over when all have called it, whatever its data does. */
static void issue_collective(struct prof_op *op)
{
    op->kept->made = prof_ahead_number_made((uint8_t)op->kept->make);
    if (!prof_settings()->buffered && !prof_settings()->eager)
        op->error = PMPI_Ibarrier(op->comm->handle, &op->meets);
    if (op->error == MPI_SUCCESS)
        op->error = op->kept->form->issue(op->kept->arguments, &op->real);
}

void prof_ahead_issue(struct prof_op *op, const struct isp_call *call)
{
    if (!prof_ahead_is_on())
        return;
    op->index = present;
    if (op->done)
        return;
    bool message = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV;
    if (op->kind == PROF_OP_SIGNAL && !message) { /* MPI_Comm_free: it stands for nothing */
        prof_op_done(op);
        return;
    }
    if (op->kind == PROF_OP_WIN_FENCE) /* the program need not wait here, but MPI does (early_fence.h) */
        prof_ahead_meet_members(call);
    prof_errors_quiet(true);
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    switch (op->kind) {
    case PROF_OP_SEND: issue_send(op, call, prof_comm_local(op->comm, call->peer)); break;
    case PROF_OP_RECV: issue_receive(op, call); break;
    case PROF_OP_COLLECTIVE: issue_collective(op); break;
    case PROF_OP_SIGNAL: issue_signal(op, call); break;
    case PROF_OP_FILE:
    case PROF_OP_WIN_FENCE: op->error = prof_engine_hooks.issue[op->kind](op); break;
    default: break;
    }
    op->error = prof_errors_heard(op->error);
    prof_errors_unsilence(op->comm, handler);
    prof_errors_quiet(false);
    if (op->error != MPI_SUCCESS)
        prof_ahead_finish(op);
}
