/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation table: see operations.h. Slots come in blocks that never move. */
#include "operations.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "base/alloc.h"
#include "bsend.h"
#include "fence.h"
#include "hold.h"
#include "kept/early.h"
#include "kept/kept.h"
#include "link/uplink.h"
#include "memory/buffers.h"
#include "memory/pending.h"
#include "prof.h"
#include "types/map.h"

#define BLOCK 256
#define MAX_BLOCKS ((PROF_HANDLE_MESSAGE_BIT - 1) / BLOCK)

static struct prof_op **blocks;
static uint32_t n_blocks;

/* Free slots, a bit each. The lowest one is taken: so which it is follows from those that are in use, and not
 * from what was freed when (state/STATE.md). */
static uint64_t *free_slots;
static uint32_t no_free_below; /* a word of these */

enum { WORD = 64 };

static void set_free(uint32_t number)
{
    uint32_t word = number / WORD;
    free_slots[word] |= UINT64_C(1) << number % WORD;
    no_free_below = word < no_free_below ? word : no_free_below;
}

static void add_block(void)
{
    if (n_blocks == MAX_BLOCKS)
        abort();
    if ((n_blocks & (n_blocks - 1)) == 0) {
        uint32_t n = n_blocks ? 2 * n_blocks : 1;
        blocks = prof_grow(blocks, n, sizeof *blocks);
        free_slots = prof_grow(free_slots, n * (BLOCK / WORD), sizeof *free_slots);
    }
    struct prof_op *block = prof_alloc(BLOCK, sizeof *block);
    for (uint32_t i = 0; i < BLOCK; i++)
        block[i].number = n_blocks * BLOCK + i;
    memset(free_slots + n_blocks * (BLOCK / WORD), 0xff, BLOCK / 8);
    blocks[n_blocks++] = block;
}

static uint32_t lowest_free(void)
{
    uint32_t end = n_blocks * (BLOCK / WORD);
    while (no_free_below < end && !free_slots[no_free_below])
        no_free_below++;
    if (no_free_below == end)
        add_block();
    return no_free_below * WORD + (uint32_t)__builtin_ctzll(free_slots[no_free_below]);
}

struct prof_op *prof_op_at(uint32_t number)
{
    if (number / BLOCK >= n_blocks)
        return NULL;
    struct prof_op *op = &blocks[number / BLOCK][number % BLOCK];
    return op->kind == PROF_OP_FREE ? NULL : op;
}

void prof_ops_each_open(void (*see)(const struct prof_op *))
{
    for (uint32_t i = 0; i < n_blocks * BLOCK; i++) {
        const struct prof_op *op = prof_op_at(i);
        if (op && !op->consumed)
            see(op);
    }
}

void prof_ops_each(void (*see)(const struct prof_op *, void *context), void *context)
{
    for (uint32_t i = 0; i < n_blocks * BLOCK; i++) {
        const struct prof_op *op = prof_op_at(i);
        if (op)
            see(op, context);
    }
}

static struct prof_op *take(enum prof_op_kind kind, struct prof_comm *comm)
{
    uint32_t number = lowest_free();
    struct prof_op *op = &blocks[number / BLOCK][number % BLOCK];
    free_slots[number / WORD] &= ~(UINT64_C(1) << number % WORD);
    op->kind = kind;
    op->done = op->consumed = op->issued = op->held = op->marked = false;
    op->comm = comm;
    op->type = NULL;
    op->copy = NULL;
    op->kept = NULL;
    op->access = NULL;
    op->early = NULL;
    op->request = op->persistent = 0;
    op->flags = 0;
    op->reserved = 0;
    op->parts[0] = op->parts[1] = NULL;
    op->whole = NULL;
    op->general = NULL;
    op->pending = NULL;
    op->arrived = false;
    op->wild = PROF_NOT_WILD;
    op->leaves = false;
    op->meets = MPI_REQUEST_NULL;
    op->message = MPI_MESSAGE_NULL;
    op->real = MPI_REQUEST_NULL;
    op->error = MPI_SUCCESS;
    op->defined = prof_definitions.history;
    prof_status_empty(&op->status);
    return op;
}

struct prof_op *prof_op_create(enum prof_op_kind kind, const struct prof_envelope *e)
{
    struct prof_op *op = take(kind, e->c);
    op->buf = e->buf;
    op->count = e->count;
    op->datatype = e->datatype;
    op->type = e->type;
    prof_comm_hold(op->comm);
    prof_type_hold(op->type);
    if (e->peer == MPI_PROC_NULL) {
        if (kind == PROF_OP_RECV)
            prof_status_proc_null(&op->status);
        prof_op_done(op);
    }
    return op;
}

struct prof_op *prof_op_create_plain(enum prof_op_kind kind, struct prof_comm *comm)
{
    struct prof_op *op = take(kind, comm);
    prof_comm_hold(comm);
    return op;
}

struct prof_op *prof_op_create_message(struct prof_comm *comm, int source, int tag)
{
    struct prof_op *op = prof_op_create_plain(PROF_OP_MESSAGE, comm);
    op->source = source;
    op->tag = tag;
    return op;
}

struct prof_op *prof_op_create_local(int32_t comm, const MPI_Status *status)
{
    struct prof_op *op = take(PROF_OP_LOCAL, prof_comm_find(MPI_COMM_SELF));
    prof_comm_hold(op->comm);
    op->status = *status;
    prof_op_done(op);
    struct isp_call call = {.op = ISP_OP_SEND, .handle = op->number, .comm = comm, .peer = ISP_NO_RANK};
    prof_record(&call);
    return op;
}

static void tell_map(struct isp_call *call, const struct prof_envelope *e)
{
    prof_map_begin();
    if (e->peer != MPI_PROC_NULL)
        prof_map_add(call->op == ISP_OP_RECV, ISP_NO_RANK, e->buf, e->count, e->datatype);
    prof_map_attach(call);
}

struct prof_op *prof_op_post(enum prof_op_kind kind, uint8_t mode, uint16_t flags,
                             const struct prof_envelope *e, const uint32_t *message)
{
    struct prof_op *op = prof_op_create(kind, e);
    op->flags = flags;
    struct isp_call call = {
        .op = kind == PROF_OP_SEND ? ISP_OP_SEND : ISP_OP_RECV,
        .mode = mode,
        .flags = flags,
        .handle = op->number,
        .comm = e->c->number,
        .peer = prof_envelope_peer(e),
        .tag = e->tag,
        .color = e->unit,
        .key = e->units,
        .bytes = e->bytes,
        .list = message,
        .n = message ? 1 : 0,
    };
    prof_type_sign(&call, e->datatype, e->type, e->count);
    if (prof_hold_is_used())
        tell_map(&call, e);
    bool copied = e->copied || flags & ISP_F_DETACHED || mode == ISP_SEND_BUFFERED ||
                  (prof_ahead_is_on() && prof_settings()->buffered && mode != ISP_SEND_SYNC);
    if (kind == PROF_OP_SEND && copied)
        prof_op_copy(op);
    if (mode == ISP_SEND_BUFFERED && kind == PROF_OP_SEND) {
        prof_bsend_tell(&call, e);
        prof_bsend_reserve(op, e);
    }
    if (flags & (ISP_F_FENCE | ISP_F_DETACHED))
        prof_pending_meets_message(kind, e);
    else if (!(flags & ISP_F_PARTITIONED))
        prof_pending_begin_message(op, e);
    if (flags & ISP_F_FENCE) {
        struct isp_result result;
        op->held = true;
        prof_op_consume(op);
        prof_fence(&call, &result);
        if (!op->done && kind == PROF_OP_SEND && prof_settings()->mixed)
            prof_op_copy(op); /* this one is buffered */
        else if (!op->done)
            prof_link_broken();
    } else {
        if (flags & ISP_F_DETACHED)
            prof_op_consume(op);
        prof_record(&call);
        prof_ahead_issue(op, &call);
    }
    return op;
}

struct prof_op *prof_op_post_collective(struct prof_kept *kept, uint16_t flags)
{
    struct prof_op *op = take(PROF_OP_COLLECTIVE, kept->comm);
    struct isp_call call = prof_kept_call(kept);
    if (prof_hold_is_used())
        prof_buffers_tell(&call, kept);
    prof_comm_hold(op->comm);
    prof_kept_hold(kept);
    op->kept = kept;
    call.flags |= (uint16_t)(ISP_F_SLOT | flags);
    call.handle = op->number;
    if (prof_early_is_needed(kept) && !prof_ahead_is_on())
        prof_early_create(op);
    if (!(flags & ISP_F_FENCE))
        prof_pending_begin_collective(op);
    if (flags & ISP_F_FENCE) {
        struct isp_result result;
        op->held = true;
        prof_op_consume(op);
        prof_fence(&call, &result);
    } else {
        prof_record(&call);
        prof_ahead_issue(op, &call);
    }
    return op;
}

/* MPICH's MPI_Pack refuses MPI_BOTTOM: so the addresses in the type count from 1. */
static void pack(const struct prof_op *op, MPI_Count room, MPI_Count *packed)
{
    if (op->buf != MPI_BOTTOM) {
        PMPI_Pack_c(op->buf, op->count, op->datatype, op->copy, room, packed, op->comm->handle);
        return;
    }
    MPI_Count from = -1;
    MPI_Datatype moved;
    PMPI_Type_create_hindexed_c(1, &op->count, &from, op->datatype, &moved);
    PMPI_Type_commit(&moved);
    PMPI_Pack_c((const void *)1, 1, moved, op->copy, room, packed, op->comm->handle);
    PMPI_Type_free(&moved);
}

void prof_op_copy(struct prof_op *op)
{
    if (op->kind != PROF_OP_SEND || op->done || op->copy)
        return;
    MPI_Count size = 0, packed = 0;
    if (!op->type) {
        PMPI_Type_size_x(op->datatype, &size);
        size *= op->count;
        op->copy = prof_grow(NULL, (size_t)size, 1);
        if (size > 0)
            memcpy(op->copy, op->buf, (size_t)size);
    } else {
        PMPI_Pack_size_c(op->count, op->datatype, op->comm->handle, &size);
        op->copy = prof_grow(NULL, (size_t)size, 1);
        pack(op, size, &packed);
        prof_type_release(op->type);
        op->type = NULL;
        op->count = packed;
        op->datatype = MPI_PACKED;
    }
    op->buf = op->copy;
}

static void free_if_over(struct prof_op *op)
{
    if (!op->done || !op->consumed || op->held)
        return;
    if (op->pending || op->arrived)
        prof_pending_drop(op);
    op->kind = PROF_OP_FREE;
    set_free(op->number);
}

/* One part of it is done: so is it, with the last one. */
static void part_done(struct prof_op *whole)
{
    if (whole && --whole->missing == 0)
        prof_op_done(whole);
}

void prof_op_done(struct prof_op *op)
{
    struct prof_op *whole = op->whole;
    op->done = true;
    prof_pending_done(op);
    op->whole = NULL;
    free(op->copy);
    op->copy = NULL;
    prof_bsend_release(op);
    free(op->access);
    op->access = NULL;
    prof_type_release(op->type);
    op->type = NULL;
    prof_early_destroy(op->early);
    op->early = NULL;
    prof_kept_drop(op->kept);
    op->kept = NULL;
    /* The communicator stays until the program has asked for the result: an error is raised on it. */
    if (op->consumed) {
        prof_request_end(op->request);
        prof_comm_release(op->comm);
    }
    free_if_over(op);
    part_done(whole);
}

void prof_op_consume(struct prof_op *op)
{
    op->consumed = true;
    if (op->kind != PROF_OP_GENERAL || op->done) /* the program completes it by its handle */
        prof_request_end(op->request);
    if (op->kind == PROF_OP_MESSAGE)
        op->done = true;
    for (int i = 0; i < 2; i++)
        if (op->parts[i])
            prof_op_let_go(op->parts[i]);
    if (op->done)
        prof_comm_release(op->comm);
    free_if_over(op);
}

void prof_op_let_go(struct prof_op *op)
{
    op->held = false;
    free_if_over(op);
}

/* ---- handles ---- */

void prof_op_give(struct prof_op *op, MPI_Request *request)
{
    op->request = prof_request_make(op, false, request);
}

MPI_Message prof_op_message(const struct prof_op *op)
{
    return (MPI_Message)(PROF_HANDLE_BITS | PROF_HANDLE_MESSAGE_BIT | (op->number + 1));
}

struct prof_op *prof_op_of_message(MPI_Message message)
{
    unsigned handle = (unsigned)message, number = handle & (PROF_HANDLE_MESSAGE_BIT - 1);
    if (handle - number != (PROF_HANDLE_BITS | PROF_HANDLE_MESSAGE_BIT) || number == 0)
        return NULL;
    struct prof_op *op = prof_op_at(number - 1);
    return op && !op->consumed && op->kind == PROF_OP_MESSAGE ? op : NULL;
}

struct prof_op *prof_op_of_request(MPI_Request request)
{
    struct prof_op *op = prof_request_target(request, false);
    return op && !op->consumed ? op : NULL;
}
