/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that are left early: see early.h. */
#include "early.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/phase.h"
#include "kept.h"
#include "link/uplink.h"
#include "neighbours.h"

/* Parts have no tag of their own to be told apart by: both ends issue them in the order in which they were
 * decided. */
#define TAG 0

struct prof_early {
    void *arguments; /* TO_ROOT: with the copy in place of the buffer */
    void *copy, *scratch;
    size_t copied; /* bytes of the copy */
    /* FROM_ROOT's root, LIST, SOURCES: what each destination gets, as a stream of bytes. */
    void **parts;
    MPI_Count *bytes;
    int n_parts;
    bool *sent;
    int *sources, *destinations, n_sources, received;
    /* PREFIX: this rank's contribution; then the reduction of all up to it. */
    void *value;
};

/* ---- the data that arguments describe ---- */

struct piece {
    void *buf;
    MPI_Count count;
    MPI_Datatype type;
};

static MPI_Count extent_of(MPI_Datatype type)
{
    MPI_Count lb, extent;
    PMPI_Type_get_extent_x(type, &lb, &extent);
    return extent;
}

/* The i-th part of a buffer (MPI-4.0, sections 6.5 to 6.8 and 8.6 say where it is). */
static struct piece piece_of(const struct prof_form *f, const void *arguments, int side, int i)
{
    const struct prof_form_argument *count = prof_form_find(f, PROF_FORM_COUNT, side),
                                    *type = prof_form_find(f, PROF_FORM_TYPE, side),
                                    *displ = prof_form_find(f, PROF_FORM_DISPL, side);
    bool sends = side == PROF_FORM_SEND;
    struct piece p = {
        .buf = sends ? (void *)(uintptr_t)prof_form_sendbuf(f, arguments) : prof_form_recvbuf(f, arguments),
        .count = prof_form_number(count, arguments, i),
        .type = *(const MPI_Datatype *)prof_form_value(type, arguments, i),
    };
    MPI_Count from = 0;
    if (displ)
        from = prof_form_number(displ, arguments, i) * (type->array ? 1 : extent_of(p.type));
    else if (!(sends && f->alike))
        from = i * p.count * extent_of(p.type);
    p.buf = (char *)p.buf + from;
    return p;
}

/* ---- copies ---- */

/* MPI copies best itself, and takes MPI_BOTTOM; nobody else communicates here. */
static MPI_Comm aside(void)
{
    static MPI_Comm comm = MPI_COMM_NULL;
    if (comm == MPI_COMM_NULL)
        PMPI_Comm_dup(MPI_COMM_SELF, &comm);
    return comm;
}

static void copy(struct piece from, struct piece to)
{
    PMPI_Sendrecv_c(from.buf, from.count, from.type, 0, TAG, to.buf, to.count, to.type, 0, TAG, aside(),
                    MPI_STATUS_IGNORE);
}

static MPI_Count size_of(struct piece p)
{
    MPI_Count size;
    PMPI_Type_size_x(p.type, &size);
    return size * p.count;
}

static void *packed(struct piece from, MPI_Count *bytes)
{
    *bytes = size_of(from);
    void *to = prof_alloc(1, (size_t)*bytes);
    copy(from, (struct piece){to, *bytes, MPI_PACKED});
    return to;
}

/* Memory with room for the data in its own layout; *at is where a buffer argument has to point. */
static void *room_for(const struct piece *p, void **at, size_t *bytes)
{
    MPI_Count lb, extent = extent_of(p->type), low, span;
    PMPI_Type_get_true_extent_x(p->type, &low, &span);
    MPI_Count reach = p->count > 0 ? (p->count - 1) * extent : 0;
    lb = reach < 0 ? low + reach : low;
    *bytes = (size_t)(span + (reach < 0 ? -reach : reach));
    char *memory = prof_alloc(1, *bytes);
    *at = memory - lb;
    return memory;
}

/* ---- when it is called ---- */

/* Of a gather or a reduction: sendbuf is replaced by a copy of it. */
static void copy_contribution(struct prof_early *e, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    struct piece from = piece_of(f, k->arguments, PROF_FORM_SEND, 0), to = from;
    e->copy = room_for(&from, &to.buf, &e->copied);
    copy(from, to);
    e->arguments = prof_alloc(1, f->size);
    memcpy(e->arguments, k->arguments, f->size);
    *(void **)prof_form_at(e->arguments, f->sendbuf) = to.buf;
}

/* Of a reduction whose result this rank gets nothing of. */
static void copy_scattered(struct prof_early *e, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    const struct prof_form_argument *count = prof_form_find(f, PROF_FORM_COUNT, PROF_FORM_RECV);
    const void *given = prof_form_sendbuf(f, k->arguments);
    struct piece from = {
        .buf = given == MPI_IN_PLACE ? prof_form_recvbuf(f, k->arguments) : (void *)(uintptr_t)given,
        .type = *(MPI_Datatype *)prof_form_at(k->arguments,
                                              prof_form_find(f, PROF_FORM_TYPE, PROF_FORM_RECV)->place)};
    int n = count->array ? prof_kept_length(f, count, k->comm) : 0;
    for (int i = 0; i < n; i++)
        from.count += prof_form_number(count, k->arguments, i);
    struct piece to = from, nowhere = from;
    e->copy = room_for(&from, &to.buf, &e->copied);
    size_t unused;
    e->scratch = room_for(&from, &nowhere.buf, &unused);
    copy(from, to);
    e->arguments = prof_alloc(1, f->size);
    memcpy(e->arguments, k->arguments, f->size);
    *(void **)prof_form_at(e->arguments, f->sendbuf) = to.buf;
    *(void **)prof_form_at(e->arguments, f->recvbuf) = nowhere.buf;
}

/* Whether all destinations get the same part. */
static bool has_one_part(const struct prof_form *f) { return f->alike || f->flow == ISP_FLOW_TO_ROOT; }

/* In place, data that each gives and takes is in the receive buffer. */
static void pack_for_members(struct prof_early *e, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    bool in_place = f->root < 0 && prof_form_sendbuf(f, k->arguments) == MPI_IN_PLACE, one = has_one_part(f);
    if (!in_place && !prof_kept_sends(f, k->arguments, k->comm))
        return;
    e->n_parts = one ? 1 : k->comm->size;
    e->parts = prof_alloc((size_t)e->n_parts, sizeof *e->parts);
    e->bytes = prof_alloc((size_t)e->n_parts, sizeof *e->bytes);
    for (int i = 0; i < e->n_parts; i++) {
        int at = in_place && one ? k->comm->rank : i;
        e->parts[i] =
            packed(piece_of(f, k->arguments, in_place ? PROF_FORM_RECV : PROF_FORM_SEND, at), &e->bytes[i]);
    }
}

static void pack_parts(struct prof_early *e, const struct prof_kept *k, int n)
{
    e->parts = prof_alloc((size_t)n, sizeof *e->parts);
    e->bytes = prof_alloc((size_t)n, sizeof *e->bytes);
    e->sent = prof_alloc((size_t)n, sizeof *e->sent);
    e->n_parts = n;
    for (int i = 0; i < n; i++)
        if (i == 0 || !k->form->alike)
            e->parts[i] = packed(piece_of(k->form, k->arguments, PROF_FORM_SEND, i), &e->bytes[i]);
}

/* A scatter's root has a part as well. */
static void keep_own_part(const struct prof_kept *k)
{
    if (k->form->alike || k->comm->inter || prof_form_recvbuf(k->form, k->arguments) == MPI_IN_PLACE)
        return;
    copy(piece_of(k->form, k->arguments, PROF_FORM_SEND, k->comm->rank),
         piece_of(k->form, k->arguments, PROF_FORM_RECV, 0));
}

static void find_neighbours(struct prof_early *e, const struct prof_kept *k)
{
    int out;
    prof_neighbours_count(k->comm->handle, &e->n_sources, &out);
    e->sources = prof_alloc((size_t)e->n_sources, sizeof *e->sources);
    e->destinations = prof_alloc((size_t)out, sizeof *e->destinations);
    prof_neighbours_get(k->comm->handle, e->n_sources, e->sources, out, e->destinations);
    pack_parts(e, k, out);
}

static struct piece prefix_piece(const struct prof_kept *k, void *buf)
{
    struct piece p = piece_of(k->form, k->arguments, PROF_FORM_RECV, 0);
    p.buf = buf;
    return p;
}

static bool is_inclusive(const struct prof_kept *k)
{
    return k->form->fn == ISP_FN_MPI_Iscan || k->form->fn == ISP_FN_MPI_Iscan_c;
}

static void begin_prefix(struct prof_early *e, const struct prof_kept *k)
{
    const void *from = prof_form_sendbuf(k->form, k->arguments);
    void *result = prof_form_recvbuf(k->form, k->arguments);
    struct piece own = prefix_piece(k, (void *)(uintptr_t)(from == MPI_IN_PLACE ? result : from));
    e->copy = room_for(&own, &e->value, &e->copied);
    copy(own, prefix_piece(k, e->value));
    if (k->comm->rank == 0 && is_inclusive(k) && from != MPI_IN_PLACE)
        copy(own, prefix_piece(k, result));
}

bool prof_early_is_needed(const struct prof_kept *kept)
{
    return (kept->flow != ISP_FLOW_ALL || kept->with_slots) && prof_settings()->buffered;
}

void prof_early_create(struct prof_op *op)
{
    const struct prof_kept *k = op->kept;
    struct prof_early *e = op->early = prof_alloc(1, sizeof *e);
    bool root = k->root == prof_world_rank;
    switch (k->flow) {
    case ISP_FLOW_ALL:
        if (k->takes_nothing && k->form->op >= 0)
            copy_scattered(e, k);
        break;
    case ISP_FLOW_TO_ROOT:
        if (!root && k->root != ISP_NO_RANK)
            copy_contribution(e, k);
        break;
    case ISP_FLOW_FROM_ROOT:
        if (root) {
            pack_parts(e, k, k->comm->size);
            keep_own_part(k);
        }
        break;
    case ISP_FLOW_PREFIX: begin_prefix(e, k); break;
    case ISP_FLOW_LIST: find_neighbours(e, k); break;
    case ISP_FLOW_SOURCES: pack_for_members(e, k); break;
    default: break;
    }
}

void prof_early_destroy(struct prof_early *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->n_parts; i++)
        free(e->parts[i]);
    free(e->parts);
    free(e->bytes);
    free(e->sent);
    free(e->sources);
    free(e->destinations);
    free(e->copy);
    free(e->scratch);
    free(e->arguments);
    free(e);
}

void prof_early_hash(struct prof_hash *h, const struct prof_early *e)
{
    prof_hash_bytes(h, e->copy, e->copy ? e->copied : 0);
    prof_hash_word(h, (uint64_t)(uint32_t)e->n_parts << 32 | (uint32_t)e->received);
    for (int i = 0; i < e->n_parts; i++)
        prof_hash_bytes(h, e->parts[i], e->parts[i] ? (size_t)e->bytes[i] : 0);
    if (e->sent)
        prof_hash_bytes(h, e->sent, (size_t)e->n_parts * sizeof *e->sent);
}

const void *prof_early_arguments(const struct prof_op *op)
{
    if (!op->early || op->early->arguments)
        return op->early ? op->early->arguments : op->kept->arguments;
    bool issued = op->kept->flow == ISP_FLOW_TO_ROOT || op->kept->flow == ISP_FLOW_ALL;
    return issued ? op->kept->arguments : NULL;
}

/* ---- parts ---- */

static struct {
    MPI_Request request;
    struct prof_op *op;
} * begun;
static size_t n_begun, room_begun;

static MPI_Request *begin(struct prof_op *op)
{
    if (n_begun == room_begun) {
        room_begun = room_begun ? 2 * room_begun : 16;
        begun = prof_grow(begun, room_begun, sizeof *begun);
    }
    begun[n_begun].request = MPI_REQUEST_NULL;
    begun[n_begun].op = op;
    return &begun[n_begun++].request;
}

static void note(struct prof_op *op, int error)
{
    if (op->error == MPI_SUCCESS)
        op->error = error;
}

void prof_early_complete(void)
{
    for (size_t i = 0; i < n_begun; i++)
        note(begun[i].op, PMPI_Wait(&begun[i].request, MPI_STATUS_IGNORE));
    n_begun = 0;
}

/* Which part is for `peer` now. Of a neighbour that is there several times: on a periodic dimension of two
 * ranks what goes left must come from the right (MPI-4.0, section 8.6), so from the last place to the first.
 * MPICH 4.0.2 does so in MPI_Neighbor_alltoall only, and what it does is what the program sees without
 * isp. */
static int place_of(const struct prof_op *op, int peer)
{
    struct prof_early *e = op->early;
    bool forward = prof_form_find(op->kept->form, PROF_FORM_COUNT, PROF_FORM_SEND)->array;
    for (int k = 0; k < e->n_parts; k++) {
        int i = forward ? k : e->n_parts - 1 - k;
        bool empty = e->bytes[i] == 0 && !op->kept->form->alike;
        if (!e->sent[i] && e->destinations[i] == peer && !empty) /* nobody waits for an empty one */
            return i;
    }
    return -1;
}

static int part_for(const struct prof_op *op, int peer)
{
    int part = peer;
    if (op->kept->flow == ISP_FLOW_LIST) {
        part = place_of(op, peer);
        if (part < 0)
            return part;
        op->early->sent[part] = true;
    }
    return has_one_part(op->kept->form) ? 0 : part;
}

static void send_part(struct prof_op *op, int peer)
{
    struct prof_early *e = op->early;
    MPI_Comm comm = op->comm->handle;
    if (op->kept->flow == ISP_FLOW_PREFIX) {
        struct piece p = prefix_piece(op->kept, e->value);
        note(op, PMPI_Isend_c(p.buf, p.count, p.type, peer, TAG, comm, begin(op)));
        return;
    }
    int i = part_for(op, peer);
    if (i >= e->n_parts)
        prof_link_broken();
    if (i < 0) { /* the counts differ, which is told when all are there: the other rank is not left waiting */
        note(op, PMPI_Isend_c(NULL, 0, MPI_PACKED, peer, TAG, comm, begin(op)));
        return;
    }
    note(op, PMPI_Isend_c(e->parts[i], e->bytes[i], MPI_PACKED, peer, TAG, comm, begin(op)));
}

/*
 * The reduction of all before this rank: what it sends on is needed in this very batch, so it waits here.
 * That cannot deadlock: whatever a rank waits for in a batch was decided before what it does later (see
 * scheduler/world/delivery.h).
 */
static void receive_prefix(struct prof_op *op, int peer)
{
    const struct prof_kept *k = op->kept;
    struct prof_early *e = op->early;
    struct piece before = prefix_piece(k, NULL);
    size_t unused;
    void *memory = room_for(&before, &before.buf, &unused);
    MPI_Op redop = prof_form_op(k->form, k->arguments);
    void *result = prof_form_recvbuf(k->form, k->arguments);
    note(op,
         PMPI_Recv_c(before.buf, before.count, before.type, peer, TAG, op->comm->handle, MPI_STATUS_IGNORE));
    if (!is_inclusive(k))
        copy(before, prefix_piece(k, result));
    note(op, PMPI_Reduce_local_c(before.buf, e->value, before.count, before.type, redop));
    if (is_inclusive(k))
        copy(prefix_piece(k, e->value), prefix_piece(k, result));
    free(memory);
}

static void receive_part(struct prof_op *op, int peer)
{
    struct prof_early *e = op->early;
    const struct prof_kept *k = op->kept;
    if (k->flow == ISP_FLOW_PREFIX) {
        receive_prefix(op, peer);
        return;
    }
    int i = k->flow == ISP_FLOW_SOURCES ? peer : 0;
    if (k->flow == ISP_FLOW_LIST) {
        while (e->received < e->n_sources && k->sources[e->received] & ISP_SOURCE_EMPTY)
            e->received++;
        i = e->received++;
        if (i >= e->n_sources || e->sources[i] != peer)
            prof_link_broken();
    }
    struct piece p = piece_of(k->form, k->arguments, PROF_FORM_RECV, i);
    note(op, PMPI_Irecv_c(p.buf, p.count, p.type, peer, TAG, op->comm->handle, begin(op)));
}

void prof_early_part(struct prof_op *op, const struct isp_action *action)
{
    int peer =
        action->peer >= 0 && action->peer < prof_world_size ? prof_comm_local(op->comm, action->peer) : -1;
    if (peer < 0 || op->kind != PROF_OP_COLLECTIVE || !op->early ||
        (action->kind != ISP_ACTION_PART_SEND && action->kind != ISP_ACTION_PART_RECV))
        prof_link_broken();
    if (action->kind == ISP_ACTION_PART_SEND)
        send_part(op, peer);
    else
        receive_part(op, peer);
}
