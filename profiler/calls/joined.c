/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Isendrecv and MPI_Isendrecv_replace (MPI-4.0, section 3.10): a send and a receive with one request.
 * Both are ordinary operations; the request is that of a third, which is complete when both are and
 * whose status is the receive's.
 */
#include "joined.h"

#include <stddef.h>

#include "engine/fence.h"
#include "engine/prof.h"
#include "memory/pending.h"
#include "prof_calls.h"

static void join(const struct prof_envelope *out, const struct prof_envelope *in, bool copy,
                 MPI_Request *request)
{
    struct prof_envelope away = *out;
    away.copied = copy;
    struct prof_op *send = prof_op_post(PROF_OP_SEND, ISP_SEND_STANDARD, 0, &away, NULL);
    if (copy)
        prof_pending_drop(send);
    struct prof_op *receive = prof_op_post(PROF_OP_RECV, ISP_RECV_NORMAL, 0, in, NULL);
    struct prof_op *both = prof_op_create_plain(PROF_OP_JOIN, out->c);
    uint32_t handles[] = {send->number, receive->number};
    struct isp_call call = {.op = ISP_OP_JOIN, .handle = both->number, .list = handles, .n = 2};
    prof_record(&call);
    both->parts[0] = send;
    both->parts[1] = receive;
    both->missing = !send->done + !receive->done;
    for (int i = 0; i < 2; i++) {
        both->parts[i]->held = true;
        both->parts[i]->whole = both->parts[i]->done ? NULL : both;
        prof_op_consume(both->parts[i]);
    }
    if (both->missing == 0)
        prof_op_done(both);
    prof_op_give(both, request);
}

void prof_join_settle(struct prof_op *both)
{
    struct prof_op *send = both->parts[0], *receive = both->parts[1];
    prof_op_copy(send);
    both->status = receive->status;
    both->error = receive->error != MPI_SUCCESS ? receive->error : send->error;
}

#define PMPI(X, ...) (fn == ISP_FN_MPI_##X##_c ? PMPI_##X##_c(__VA_ARGS__) : PMPI_##X(__VA_ARGS__))

int prof_Isendrecv(enum isp_fn fn, const void *site, const void *sendbuf, MPI_Count sendcount,
                   MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
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
        return PMPI(Isendrecv, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, request);
    if (!request || !prof_envelope_check(&out, false) || !prof_envelope_check(&in, true))
        return prof_leave(PMPI(Isendrecv, sendbuf, sendcount, out.datatype, dest, sendtag, recvbuf, recvcount,
                               in.datatype, source, recvtag, out.comm, request));
    join(&out, &in, false, request);
    return prof_leave(MPI_SUCCESS);
}

int prof_Isendrecv_replace(enum isp_fn fn, const void *site, void *buf, MPI_Count count,
                           MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request)
{
    struct prof_envelope out = {
        .buf = buf, .count = count, .datatype = datatype, .peer = dest, .tag = sendtag, .comm = comm};
    struct prof_envelope in = out;
    in.peer = source;
    in.tag = recvtag;
    if (!prof_enter(fn, site))
        return PMPI(Isendrecv_replace, buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    if (!request || !prof_envelope_check(&out, false) || !prof_envelope_check(&in, true))
        return prof_leave(PMPI(Isendrecv_replace, buf, count, out.datatype, dest, sendtag, source, recvtag,
                               out.comm, request));
    join(&out, &in, true, request);
    return prof_leave(MPI_SUCCESS);
}
