/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Psend_init and its family: see partitioned.h. */
#include "partitioned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

#include "base/alloc.h"
#include "completion.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "engine/refused.h"
#include "memory/pending.h"
#include "outside/polled.h"
#include "persistent.h"
#include "prof_calls.h"

/* How many initializations there were with these arguments: no padding, it is hashed as bytes. */
struct key {
    int32_t comm, peer, tag, receive;
};

struct counter {
    struct key key;
    uint32_t n;
    UT_hash_handle hh;
};

static struct counter *counters;

static uint32_t count(const struct prof_envelope *e, bool receive)
{
    struct key key = {e->c->number, prof_envelope_peer(e), e->tag, receive};
    struct counter *c;
    HASH_FIND(hh, counters, &key, sizeof key, c);
    if (!c) {
        c = prof_alloc(1, sizeof *c);
        c->key = key;
        HASH_ADD(hh, counters, key, sizeof c->key, c);
    }
    return c->n++;
}

enum { FINEST = 48, MOST_UNITS = 1024 };

static int units_of(int partitions, MPI_Count bytes)
{
    MPI_Count a = bytes, b = FINEST;
    while (b > 0) {
        MPI_Count rest = a % b;
        a = b;
        b = rest;
    }
    return bytes == 0 || partitions > MOST_UNITS ? 0 : a % partitions == 0 ? (int)a : partitions;
}

static void make(bool receive, int partitions, struct prof_envelope *e, MPI_Request *request)
{
    if (e->peer != MPI_PROC_NULL) {
        e->tag = isp_partitioned_tag(e->tag, count(e, receive));
        if (e->tag < 0)
            prof_unsupported(prof_current.fn, prof_current.site);
    }
    struct prof_partitions *parts = prof_alloc(1, sizeof *parts);
    parts->n = partitions;
    parts->ready = prof_alloc((size_t)partitions + 1, sizeof *parts->ready);
    parts->bytes = (MPI_Count)e->bytes;
    bool moves = e->peer != MPI_PROC_NULL && e->buf != MPI_BOTTOM && partitions > 0;
    parts->units = e->units = moves ? units_of(partitions, parts->bytes) : 0;
    if (receive && parts->units) {
        parts->told = prof_alloc((size_t)partitions, sizeof *parts->told);
        parts->memory = prof_alloc(1, (size_t)parts->bytes);
        parts->unit = prof_alloc((size_t)parts->units, sizeof(struct prof_op *));
    }
    prof_persistent_create_message(receive ? PROF_OP_RECV : PROF_OP_SEND,
                                   receive ? (uint8_t)ISP_RECV_NORMAL : (uint8_t)ISP_SEND_STANDARD, e, parts,
                                   request);
}

/* Of the whole message. */
static bool check(struct prof_envelope *e, int partitions, MPI_Count each, bool receive)
{
    if (partitions < 0 || each < 0 || __builtin_mul_overflow(partitions, each, &e->count))
        return false;
    return e->peer != MPI_ANY_SOURCE && e->tag != MPI_ANY_TAG && prof_envelope_check(e, receive);
}

int prof_Psend_init(enum isp_fn fn, const void *site, const void *buf, int partitions, MPI_Count count,
                    MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
    struct prof_envelope e = {
        .buf = (void *)(uintptr_t)buf, .datatype = datatype, .peer = dest, .tag = tag, .comm = comm};
    if (!prof_enter(fn, site))
        return PMPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request);
    if (!request || !check(&e, partitions, count, false))
        return prof_leave(
            PMPI_Psend_init(buf, partitions, count, e.datatype, dest, tag, e.comm, info, request));
    make(false, partitions, &e, request);
    return prof_leave(MPI_SUCCESS);
}

int prof_Precv_init(enum isp_fn fn, const void *site, void *buf, int partitions, MPI_Count count,
                    MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
    struct prof_envelope e = {.buf = buf, .datatype = datatype, .peer = source, .tag = tag, .comm = comm};
    if (!prof_enter(fn, site))
        return PMPI_Precv_init(buf, partitions, count, datatype, source, tag, comm, info, request);
    if (!request || !check(&e, partitions, count, true))
        return prof_leave(
            PMPI_Precv_init(buf, partitions, count, e.datatype, source, tag, e.comm, info, request));
    make(true, partitions, &e, request);
    return prof_leave(MPI_SUCCESS);
}

unsigned prof_partitions_start(struct prof_persistent *p)
{
    struct prof_partitions *parts = p->partitions;
    if (p->envelope.peer == MPI_PROC_NULL)
        return 0;
    if (p->kind == PROF_OP_RECV)
        return ISP_F_PARTITIONED;
    memset(parts->ready, 0, (size_t)parts->n * sizeof *parts->ready);
    parts->missing = parts->n;
    return ISP_F_PARTITIONED | (parts->n > 0 ? ISP_F_HELD : 0);
}

/* The communicator to raise an error on. */
static MPI_Comm comm_of(const struct prof_persistent *p)
{
    return p && p->envelope.c ? p->envelope.c->handle : MPI_COMM_WORLD;
}

/* ---- units ---- */

static struct prof_envelope unit_at(const struct prof_persistent *p, int i, char *buf)
{
    struct prof_envelope e = p->envelope;
    MPI_Count bytes = p->partitions->bytes / p->partitions->units;
    e.buf = buf;
    e.count = bytes;
    e.bytes = (uint64_t)bytes;
    e.datatype = MPI_PACKED;
    e.type = NULL;
    e.unit = i + 1;
    return e;
}

/* Where the partition is in the program's buffer, and how many items it has. */
static void *partition_at(const struct prof_persistent *p, int partition, MPI_Count *count)
{
    MPI_Count low, extent;
    *count = p->envelope.count / p->partitions->n;
    PMPI_Type_get_extent_x(p->envelope.datatype, &low, &extent);
    return (char *)p->envelope.buf + partition * *count * extent;
}

static void send_units(const struct prof_persistent *p, int partition)
{
    const struct prof_partitions *parts = p->partitions;
    MPI_Count count, room, packed = 0;
    if (!parts->units)
        return;
    void *from = partition_at(p, partition, &count);
    PMPI_Pack_size_c(count, p->envelope.datatype, comm_of(p), &room);
    char *data = prof_alloc(1, (size_t)room + 1);
    PMPI_Pack_c(from, count, p->envelope.datatype, data, room, &packed, comm_of(p));
    int each = parts->units / parts->n;
    for (int i = 0; i < each; i++) {
        struct prof_envelope e = unit_at(p, partition * each + i, data + i * (parts->bytes / parts->units));
        prof_op_post(PROF_OP_SEND, ISP_SEND_STANDARD, ISP_F_PARTITIONED | ISP_F_DETACHED, &e, NULL);
    }
    free(data);
}

/* The partition's units are there, and the whole is not yet. */
static void unpack(const struct prof_persistent *p, int partition)
{
    MPI_Count count, at = 0, bytes = p->partitions->bytes / p->partitions->n;
    void *to = partition_at(p, partition, &count);
    PMPI_Unpack_c(p->partitions->memory + partition * bytes, bytes, &at, to, count, p->envelope.datatype,
                  comm_of(p));
}

void prof_partitions_started(struct prof_persistent *p)
{
    struct prof_partitions *parts = p->partitions;
    if (!parts || !parts->unit)
        return;
    memset(parts->told, 0, (size_t)parts->n * sizeof *parts->told);
    parts->aside = false;
    for (int i = 0; i < parts->units; i++) {
        struct prof_envelope e = unit_at(p, i, parts->memory + i * (parts->bytes / parts->units));
        parts->unit[i] = prof_op_post(PROF_OP_RECV, ISP_RECV_NORMAL, ISP_F_PARTITIONED, &e, NULL);
    }
}

void prof_partitions_end(struct prof_persistent *p)
{
    struct prof_partitions *parts = p->partitions;
    for (int i = 0; parts && parts->unit && i < parts->units && parts->unit[i]; i++) {
        struct isp_call call = {.op = ISP_OP_FREE, .handle = parts->unit[i]->number};
        prof_record(&call);
        if (!parts->unit[i]->done)
            parts->memory = NULL; /* a thread's that comes late: it still belongs to MPI */
        prof_op_consume(parts->unit[i]);
        parts->unit[i] = NULL;
    }
    if (parts && parts->unit && !parts->memory)
        parts->memory = prof_alloc(1, (size_t)parts->bytes);
}

static struct prof_persistent *receive_of(const struct prof_op *op)
{
    struct prof_persistent *p = op->persistent ? prof_persistent_at(op->persistent - 1) : NULL;
    return p && p->partitions && p->partitions->unit ? p : NULL;
}

/* What the program has been told of is its own. */
void prof_partitions_issue(struct prof_op *op)
{
    struct prof_persistent *p = receive_of(op);
    for (int i = 0; p && i < p->partitions->n; i++)
        p->partitions->aside |= p->partitions->told[i];
    if (!p || !p->partitions->aside)
        return;
    op->buf = p->partitions->memory;
    op->count = p->partitions->bytes;
    op->datatype = MPI_PACKED;
}

void prof_partitions_arrived(struct prof_op *op)
{
    struct prof_persistent *p = receive_of(op);
    for (int i = 0; p && p->partitions->aside && i < p->partitions->n; i++)
        if (!p->partitions->told[i])
            unpack(p, i);
}

void prof_partitions_destroy(struct prof_partitions *partitions)
{
    if (!partitions)
        return;
    free(partitions->told);
    free(partitions->memory);
    free(partitions->unit);
    free(partitions->ready);
    free(partitions);
}

/* ---- partitions ---- */

/* The active send; NULL: there is none, which was said, and *rc is the error. */
static struct prof_persistent *active_send(MPI_Request request, int *rc)
{
    struct prof_persistent *p = prof_request_is_foreign(request) ? NULL : prof_persistent_of(request);
    const char *wrong = !p || !p->partitions ? "this is no request of a partitioned send"
                        : p->kind != PROF_OP_SEND
                            ? "this is the request of a receive, whose partitions the sender marks"
                        : !p->active ? "this partitioned send is not active: start it first"
                                     : NULL;
    *rc = MPI_SUCCESS;
    if (!p && prof_request_is_old(request))
        *rc = prof_request_refuse_old(request, -1);
    else if (wrong)
        *rc = prof_error_raise_as(ISP_RULE_INVALID_REQUEST, wrong, comm_of(p), MPI_ERR_REQUEST);
    return wrong ? NULL : p;
}

static int mark(struct prof_persistent *p, int partition)
{
    struct prof_partitions *parts = p->partitions;
    char text[100];
    if (partition < 0 || partition >= parts->n)
        snprintf(text, sizeof text, "partition is %d, but must be from 0 to %d", partition, parts->n - 1);
    else if (parts->ready[partition])
        snprintf(text, sizeof text, "partition %d was marked ready before, in the same round", partition);
    else
        text[0] = '\0';
    if (text[0])
        return prof_error_raise_as(ISP_RULE_INVALID_ARGUMENT, text, comm_of(p), MPI_ERR_ARG);
    parts->ready[partition] = true;
    prof_pending_begin_partition(p->active, &p->envelope, partition, parts->n);
    send_units(p, partition);
    if (--parts->missing == 0 && p->envelope.peer != MPI_PROC_NULL) {
        struct isp_call call = {.op = ISP_OP_READY, .handle = p->active->number};
        prof_record(&call);
    }
    return MPI_SUCCESS;
}

int prof_Pready(enum isp_fn fn, const void *site, int partition, MPI_Request request)
{
    return prof_Pready_range(fn, site, partition, partition, request);
}

int prof_Pready_range(enum isp_fn fn, const void *site, int partition_low, int partition_high,
                      MPI_Request request)
{
    int rc;
    if (!prof_enter(fn, site))
        return PMPI_Pready_range(partition_low, partition_high, request);
    struct prof_persistent *p = active_send(request, &rc);
    if (p && partition_low > partition_high)
        rc = prof_error_raise(comm_of(p), MPI_ERR_ARG);
    for (int i = partition_low; i <= partition_high && rc == MPI_SUCCESS; i++)
        rc = mark(p, i);
    return prof_leave(rc);
}

int prof_Pready_list(enum isp_fn fn, const void *site, int length, const int array_of_partitions[],
                     MPI_Request request)
{
    int rc;
    if (!prof_enter(fn, site))
        return PMPI_Pready_list(length, (int *)array_of_partitions, request); /* no const in MPICH 4.0 */
    struct prof_persistent *p = active_send(request, &rc);
    if (p && (length < 0 || (length > 0 && !array_of_partitions)))
        rc = prof_error_raise(comm_of(p), MPI_ERR_ARG);
    for (int i = 0; i < length && rc == MPI_SUCCESS; i++)
        rc = mark(p, array_of_partitions[i]);
    return prof_leave(rc);
}

static bool is_last(const struct prof_partitions *parts, int partition)
{
    for (int i = 0; parts->told && i < parts->n; i++)
        if (i != partition && !parts->told[i])
            return false;
    return true;
}

/* What the partition consists of: its units, or, if there are none, the whole; with the last of them the
 * whole has arrived as well, so that a test of the request cannot fail any more (MPI-4.0, 4.2.2). */
static bool has_arrived(struct prof_persistent *p, int partition)
{
    const struct prof_partitions *parts = p->partitions;
    int n = parts->units ? parts->units / parts->n : 1;
    bool whole = parts->units && is_last(parts, partition);
    uint32_t *handles = prof_alloc((size_t)n + 1, sizeof *handles);
    for (int i = 0; i < n; i++)
        handles[i] = parts->units ? parts->unit[partition * n + i]->number : p->active->number;
    if (whole)
        handles[n++] = p->active->number;
    struct isp_call call = {.op = ISP_OP_COMPLETE,
                            .mode = ISP_COMPLETE_ALL,
                            .flags = (uint16_t)(ISP_F_POLL | ISP_F_KEEP | prof_polled_flags()),
                            .list = handles,
                            .n = (uint32_t)n};
    struct isp_result result;
    prof_fence(&call, &result);
    free(handles);
    prof_polled_answer(result.flag);
    return result.flag != 0;
}

int prof_Parrived(enum isp_fn fn, const void *site, MPI_Request request, int partition, int *flag)
{
    if (!prof_enter(fn, site))
        return PMPI_Parrived(request, partition, flag);
    struct prof_persistent *p = prof_request_is_foreign(request) ? NULL : prof_persistent_of(request);
    if (!p && prof_request_is_old(request))
        return prof_leave(prof_request_refuse_old(request, -1));
    if (!flag || !p || !p->partitions || p->kind != PROF_OP_RECV)
        return prof_leave(prof_error_raise(comm_of(p), flag ? MPI_ERR_REQUEST : MPI_ERR_ARG));
    if (partition < 0 || partition >= p->partitions->n)
        return prof_leave(prof_error_raise(comm_of(p), MPI_ERR_ARG));
    struct prof_partitions *parts = p->partitions;
    *flag = 1;
    if (p->active && !(parts->told && parts->told[partition])) {
        *flag = has_arrived(p, partition);
        if (*flag)
            prof_pending_end_partition(p->active, partition);
        if (*flag && parts->told) {
            parts->told[partition] = true;
            if (!p->active->done)
                unpack(p, partition);
        }
    }
    return prof_leave(MPI_SUCCESS);
}
