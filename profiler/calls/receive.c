/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives, and the calls that send and receive (MPI-4.0, sections 3.2.4, 3.7, 3.8.3 and 3.10). */
#include <stddef.h>

#include "completion.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/nobody.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "entries/cancels.h"
#include "memory/pending.h"
#include "prof_calls.h"
#include "tables/handles.h"

static int receive_blocking(const struct prof_envelope *e, uint8_t mode, const uint32_t *message,
                            MPI_Status *status)
{
    struct prof_op *op = prof_op_post(PROF_OP_RECV, mode, ISP_F_FENCE, e, message);
    int rc = op->error;
    prof_status_copy(status, &op->status);
    prof_op_let_go(op);
    return rc;
}

#define PMPI(X, ...) (fn == ISP_FN_MPI_##X##_c ? PMPI_##X##_c(__VA_ARGS__) : PMPI_##X(__VA_ARGS__))

int prof_Recv(enum isp_fn fn, const void *site, void *buf, MPI_Count count, MPI_Datatype datatype, int source,
              int tag, MPI_Comm comm, MPI_Status *status)
{
    struct prof_envelope e = {
        .buf = buf, .count = count, .datatype = datatype, .peer = source, .tag = tag, .comm = comm};
    if (!prof_enter(fn, site))
        return PMPI(Recv, buf, count, datatype, source, tag, comm, status);
    if (!prof_envelope_check(&e, true))
        return prof_leave(PMPI(Recv, buf, e.count, e.datatype, source, tag, e.comm, status));
    if (source == MPI_PROC_NULL) {
        prof_nobody_tell(PROF_OP_RECV, &e);
        prof_status_proc_null(status);
        return prof_leave(MPI_SUCCESS);
    }
    return prof_leave(prof_error_raise(comm, receive_blocking(&e, ISP_RECV_NORMAL, NULL, status)));
}

int prof_Irecv(enum isp_fn fn, const void *site, void *buf, MPI_Count count, MPI_Datatype datatype,
               int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct prof_envelope e = {
        .buf = buf, .count = count, .datatype = datatype, .peer = source, .tag = tag, .comm = comm};
    if (!prof_enter(fn, site))
        return PMPI(Irecv, buf, count, datatype, source, tag, comm, request);
    if (!request || !prof_envelope_check(&e, true))
        return prof_leave(PMPI(Irecv, buf, e.count, e.datatype, source, tag, e.comm, request));
    prof_op_give(prof_op_post(PROF_OP_RECV, ISP_RECV_NORMAL, prof_cancels_flag(), &e, NULL), request);
    return prof_leave(MPI_SUCCESS);
}

/* ---- receives of a matched message ---- */

/* The envelope of a matched message; NULL: only MPI can say what is wrong with the call. */
static struct prof_op *message_envelope(struct prof_envelope *e, const MPI_Message *message)
{
    struct prof_op *probe = message ? prof_op_of_message(*message) : NULL;
    if (!probe)
        return NULL;
    e->c = probe->comm;
    e->comm = probe->comm->handle;
    e->peer = prof_comm_local(probe->comm, probe->source);
    e->tag = probe->tag;
    return prof_envelope_check_buffer(e) ? probe : NULL;
}

static void message_over(struct prof_op *probe, MPI_Message *message)
{
    prof_handle_freed(PROF_HANDLE_MESSAGE, PROF_TRACKED(*message));
    *message = MPI_MESSAGE_NULL;
    prof_op_consume(probe);
}

int prof_Mrecv(enum isp_fn fn, const void *site, void *buf, MPI_Count count, MPI_Datatype datatype,
               MPI_Message *message, MPI_Status *status)
{
    struct prof_envelope e = {.buf = buf, .count = count, .datatype = datatype};
    if (!prof_enter(fn, site))
        return PMPI(Mrecv, buf, count, datatype, message, status);
    if (message && *message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        prof_status_proc_null(status);
        return prof_leave(MPI_SUCCESS);
    }
    struct prof_op *probe = message_envelope(&e, message);
    if (!probe)
        return prof_leave(PMPI(Mrecv, buf, e.count, e.datatype, message, status));
    int rc = receive_blocking(&e, ISP_RECV_MESSAGE, &probe->number, status);
    message_over(probe, message);
    return prof_leave(prof_error_raise(e.comm, rc));
}

int prof_Imrecv(enum isp_fn fn, const void *site, void *buf, MPI_Count count, MPI_Datatype datatype,
                MPI_Message *message, MPI_Request *request)
{
    struct prof_envelope e = {.buf = buf, .count = count, .datatype = datatype};
    if (!prof_enter(fn, site))
        return PMPI(Imrecv, buf, count, datatype, message, request);
    if (request && message && *message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        e.c = prof_comm_find(MPI_COMM_WORLD);
        e.peer = MPI_PROC_NULL;
        e.tag = MPI_ANY_TAG;
        if (!prof_envelope_check_buffer(&e))
            return prof_leave(prof_error_raise(MPI_COMM_WORLD, MPI_ERR_TYPE));
        prof_op_give(prof_op_post(PROF_OP_RECV, ISP_RECV_NORMAL, 0, &e, NULL), request);
        return prof_leave(MPI_SUCCESS);
    }
    struct prof_op *probe = message_envelope(&e, message);
    if (!request || !probe)
        return prof_leave(PMPI(Imrecv, buf, e.count, e.datatype, message, request));
    prof_op_give(prof_op_post(PROF_OP_RECV, ISP_RECV_MESSAGE, 0, &e, &probe->number), request);
    message_over(probe, message);
    return prof_leave(MPI_SUCCESS);
}

/* ---- send and receive in one call ---- */

/* A send and a receive, and a wait for both. A half that goes to MPI_PROC_NULL is not there. */
static int exchange(const struct prof_envelope *out, const struct prof_envelope *in, bool copy,
                    MPI_Status *status)
{
    struct prof_op *ops[2];
    uint32_t handles[2], n = 0;
    struct prof_envelope away = *out, back = *in;
    away.blocking = back.blocking = true;
    away.copied = copy;
    if (out->peer != MPI_PROC_NULL) {
        ops[n] = prof_op_post(PROF_OP_SEND, ISP_SEND_STANDARD, 0, &away, NULL);
        if (copy)
            prof_pending_drop(ops[n]);
        handles[n] = ops[n]->number;
        n++;
    } else {
        prof_nobody_tell(PROF_OP_SEND, out);
    }
    if (in->peer != MPI_PROC_NULL) {
        ops[n] = prof_op_post(PROF_OP_RECV, ISP_RECV_NORMAL, 0, &back, NULL);
        handles[n] = ops[n]->number;
        n++;
    } else {
        prof_nobody_tell(PROF_OP_RECV, in);
        prof_status_proc_null(status);
    }
    if (n == 0)
        return MPI_SUCCESS;
    struct isp_call call = {.op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .list = handles, .n = n};
    struct isp_result result;
    prof_fence(&call, &result);
    int rc = MPI_SUCCESS;
    for (uint32_t i = 0; i < n; i++) {
        MPI_Status *to = ops[i]->kind == PROF_OP_RECV ? status : MPI_STATUS_IGNORE;
        int error = prof_op_deliver(ops[i], to);
        rc = rc == MPI_SUCCESS ? error : rc;
    }
    return prof_error_raise(out->comm, rc);
}

int prof_Sendrecv(enum isp_fn fn, const void *site, const void *sendbuf, MPI_Count sendcount,
                  MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                  MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct prof_envelope out = {.buf = (void *)(uintptr_t)sendbuf,
                                .count = sendcount,
                                .datatype = sendtype,
                                .peer = dest,
                                .tag = sendtag,
                                .comm = comm};
    struct prof_envelope in = {.buf = recvbuf,
                               .count = recvcount,
                               .datatype = recvtype,
                               .peer = source,
                               .tag = recvtag,
                               .comm = comm};
    if (!prof_enter(fn, site))
        return PMPI(Sendrecv, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, status);
    if (!prof_envelope_check(&out, false) || !prof_envelope_check(&in, true))
        return prof_leave(PMPI(Sendrecv, sendbuf, sendcount, out.datatype, dest, sendtag, recvbuf, recvcount,
                               in.datatype, source, recvtag, out.comm, status));
    return prof_leave(exchange(&out, &in, false, status));
}

int prof_Sendrecv_replace(enum isp_fn fn, const void *site, void *buf, MPI_Count count, MPI_Datatype datatype,
                          int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct prof_envelope out = {
        .buf = buf, .count = count, .datatype = datatype, .peer = dest, .tag = sendtag, .comm = comm};
    struct prof_envelope in = out;
    in.peer = source;
    in.tag = recvtag;
    if (!prof_enter(fn, site))
        return PMPI(Sendrecv_replace, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    if (!prof_envelope_check(&out, false) || !prof_envelope_check(&in, true))
        return prof_leave(PMPI(Sendrecv_replace, buf, count, out.datatype, dest, sendtag, source, recvtag,
                               out.comm, status));
    return prof_leave(exchange(&out, &in, true, status));
}
