/* SPDX-License-Identifier: BSD-3-Clause */
/* See buffers.h. What several members get or give is one region, whose parts are where counts and
 * displacements say. */
#include "buffers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "kept/neighbours.h"
#include "types/map.h"

/* One side of the arguments. */
struct side {
    const struct prof_kept *kept;
    enum prof_form_side side;
    const struct prof_form_argument *count, *displ, *type;
    const void *buf;
};

static const struct prof_form_argument *find(const struct prof_form *f, int kind, enum prof_form_side side)
{
    for (const struct prof_form_argument *a = f->arguments; a->bytes; a++)
        if (a->kind == kind &&
            (a->side == side || a->side == PROF_FORM_BOTH || (f->op >= 0 && kind != PROF_FORM_DISPL)))
            return a;
    return NULL;
}

static struct side side_of(const struct prof_kept *k, enum prof_form_side side)
{
    const struct prof_form *f = k->form;
    return (struct side){
        .kept = k,
        .side = side,
        .count = find(f, PROF_FORM_COUNT, side),
        .displ = find(f, PROF_FORM_DISPL, side),
        .type = find(f, PROF_FORM_TYPE, side),
        .buf =
            side == PROF_FORM_SEND ? prof_form_sendbuf(f, k->arguments) : prof_form_recvbuf(f, k->arguments),
    };
}

static const void *value_at(const struct side *s, const struct prof_form_argument *a, int i)
{
    const void *value = prof_form_at(s->kept->arguments, a->place);
    return a->array ? *(const char *const *)value + (size_t)i * a->bytes : value;
}

static MPI_Count number_at(const struct side *s, const struct prof_form_argument *a, int i)
{
    const void *value = value_at(s, a, i);
    return a->bytes == sizeof(int) ? *(const int *)value : (MPI_Count) * (const int64_t *)value;
}

static MPI_Datatype type_at(const struct side *s, int i)
{
    return *(const MPI_Datatype *)value_at(s, s->type, i);
}

static bool is_in_place(const struct prof_kept *k)
{
    return prof_form_sendbuf(k->form, k->arguments) == MPI_IN_PLACE;
}

/* ---- pieces ---- */

static int neighbours(const struct side *s)
{
    int in = 0, out = 0;
    prof_neighbours_count(s->kept->comm->handle, &in, &out);
    return s->side == PROF_FORM_SEND ? out : in;
}

/* How many pieces, of so many items each or of its own count, lie in the buffer. */
static int pieces(const struct side *s)
{
    const struct prof_form *f = s->kept->form;
    bool sends = s->side == PROF_FORM_SEND;
    if (sends && f->alike)
        return 1;
    if (f->neighbour)
        return neighbours(s);
    switch (f->flow) {
    case ISP_FLOW_FROM_ROOT: return sends ? s->kept->comm->size : 1;
    case ISP_FLOW_TO_ROOT: return sends ? 1 : s->kept->comm->size;
    default: return s->kept->comm->size;
    }
}

/* A piece that nothing is moved from or to: that of a neighbour that is not there, or this rank's own in
 * place. */
static bool is_idle(const struct side *s, int i, int n)
{
    const struct prof_kept *k = s->kept;
    if (k->form->neighbour)
        return (uint32_t)n == k->n_sources && k->sources[i] == (uint32_t)ISP_NO_RANK;
    bool gathers = k->form->flow == ISP_FLOW_TO_ROOT || k->form->alike;
    return s->side == PROF_FORM_RECV && gathers && !k->comm->inter && i == k->comm->rank && is_in_place(k);
}

static MPI_Count extent_of(MPI_Datatype type)
{
    MPI_Count low, extent = 0;
    PMPI_Type_get_extent_x(type, &low, &extent);
    return extent;
}

/* Where it begins. */
static int64_t offset_of(const struct side *s, int i, MPI_Count extent)
{
    if (s->displ)
        return number_at(s, s->displ, i) * (s->type->array ? 1 : extent);
    return i * number_at(s, s->count, i) * extent;
}

static struct prof_shape_part piece(const struct side *s, int i)
{
    MPI_Datatype type = type_at(s, i);
    MPI_Count size, count = number_at(s, s->count, i), extent = extent_of(type);
    struct prof_type *entry;
    struct prof_shape_part part = {offset_of(s, i, extent), NULL};
    if (!prof_type_find(type, &size, &entry))
        return part;
    part.shape = prof_shape_repeat(count, extent,
                                   entry ? prof_shape_hold(prof_type_shape(entry)) : prof_shape_run(0, size));
    return part;
}

/* Pieces that all take part and follow each other are so many items. */
static bool is_plain(const struct side *s, int n)
{
    bool plain = !s->count->array && !s->displ && !s->type->array;
    for (int i = 0; plain && i < n; i++)
        plain = !is_idle(s, i, n);
    return plain;
}

static void add_pieces(const struct side *s, int n, struct prof_region *r)
{
    struct prof_shape_part *parts = prof_alloc((size_t)n, sizeof *parts);
    size_t used = 0;
    for (int i = 0; i < n; i++)
        if (!is_idle(s, i, n))
            parts[used++] = piece(s, i);
    prof_region_adopt(r, s->buf, prof_shape_parts(parts, used));
    if (!s->type->array)
        r->basic = prof_type_basic(type_at(s, 0));
    free(parts);
}

/* ---- reductions ---- */

/* What each member is left with may differ from what all of them give. */
static MPI_Count reduced_count(const struct side *s, bool whole)
{
    const struct prof_kept *k = s->kept;
    int size = 1, rank = 0;
    MPI_Count sum = 0;
    PMPI_Comm_size(k->comm->handle, &size);
    PMPI_Comm_rank(k->comm->handle, &rank);
    if (!s->count->array) {
        bool block = k->form->fn == ISP_FN_MPI_Ireduce_scatter_block ||
                     k->form->fn == ISP_FN_MPI_Ireduce_scatter_block_c;
        return number_at(s, s->count, 0) * (block && whole ? size : 1);
    }
    for (int i = 0; i < size; i++)
        sum += whole || i == rank ? number_at(s, s->count, i) : 0;
    return sum;
}

static void look(const struct prof_kept *k, enum prof_form_side which, struct prof_region *r)
{
    struct side s = side_of(k, which);
    if (!s.count || !s.type)
        return;
    if (k->form->op >= 0) {
        prof_region_init(r, s.buf, reduced_count(&s, which == PROF_FORM_SEND || is_in_place(k)),
                         type_at(&s, 0));
        return;
    }
    int n = pieces(&s);
    if (n > 0 && is_plain(&s, n))
        prof_region_init(r, s.buf, n * number_at(&s, s.count, 0), type_at(&s, 0));
    else
        add_pieces(&s, n, r);
}

void prof_buffers_of(const struct prof_kept *k, struct prof_region *read, struct prof_region *written)
{
    const struct prof_form *f = k->form;
    *read = *written = prof_region_bytes(NULL, 0);
    if (f->sendbuf < 0 || f->recvbuf < 0 || (f->root >= 0 && k->root == ISP_NO_RANK))
        return;
    bool broadcasts = f->alike && f->flow == ISP_FLOW_FROM_ROOT, root = k->root == prof_world_rank;
    if (prof_kept_sends(f, k->arguments, k->comm))
        look(k, PROF_FORM_SEND, read);
    bool nothing_before =
        k->comm->rank == 0 && (f->fn == ISP_FN_MPI_Iexscan || f->fn == ISP_FN_MPI_Iexscan_c);
    if (prof_kept_receives(f, k->arguments, k->comm) && !(broadcasts && root) && !nothing_before)
        look(k, PROF_FORM_RECV, written);
}

/* ---- piece by piece ---- */

static void tell_piece(const struct side *s, bool written, int32_t peer, int i)
{
    MPI_Datatype type = type_at(s, i);
    const char *at = (const char *)s->buf + offset_of(s, i, extent_of(type));
    prof_map_add(written, peer, at, number_at(s, s->count, i), type);
}

/* Each place with its neighbour. */
static void tell_neighbours(const struct side *s, bool written, int n)
{
    int in = 0, out = 0;
    prof_neighbours_count(s->kept->comm->handle, &in, &out);
    int *ranks = prof_alloc((size_t)in + (size_t)out, sizeof *ranks);
    prof_neighbours_get(s->kept->comm->handle, in, ranks, out, ranks + in);
    for (int i = 0; i < n; i++) {
        int peer = written ? ranks[i] : ranks[in + i];
        if (peer != MPI_PROC_NULL)
            tell_piece(s, written, prof_comm_world(s->kept->comm, peer), i);
    }
    free(ranks);
}

static void tell_pieces(const struct side *s, bool written)
{
    const struct prof_kept *k = s->kept;
    int n = pieces(s);
    bool sends = s->side == PROF_FORM_SEND;
    if (sends && k->form->alike) {
        tell_piece(s, written, ISP_NO_RANK, 0);
    } else if (k->form->neighbour) {
        tell_neighbours(s, written, n);
    } else if (k->form->flow == (sends ? ISP_FLOW_TO_ROOT : ISP_FLOW_FROM_ROOT)) {
        tell_piece(s, written, k->root, 0);
    } else {
        for (int i = 0; i < n; i++)
            if (!written || !is_idle(s, i, n))
                tell_piece(s, written, prof_comm_world(k->comm, i), i);
    }
}

static void tell_side(const struct prof_kept *k, enum prof_form_side which, bool written)
{
    struct side s = side_of(k, which);
    bool reduces = k->form->op >= 0;
    if (!s.count || !s.type ||
        (reduces && k->comm->inter)) /* the record does not say who is in which group */
        return;
    if (reduces)
        prof_map_add(written, ISP_NO_RANK, s.buf, reduced_count(&s, !written), type_at(&s, 0));
    else if (!written && which == PROF_FORM_RECV && k->form->alike)
        tell_piece(&s, written, ISP_NO_RANK, k->comm->rank);
    else
        tell_pieces(&s, written);
}

/* MPI_IN_PLACE: what is given lies where the result will be. The root of a gathering gives itself nothing. */
static bool gives_in_place(const struct prof_kept *k, bool receives)
{
    return receives && is_in_place(k) && !k->comm->inter && (k->form->root < 0 || k->form->op >= 0);
}

void prof_buffers_tell(struct isp_call *call, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    if (f->sendbuf < 0 || f->recvbuf < 0 || (f->root >= 0 && k->root == ISP_NO_RANK))
        return;
    bool receives = prof_kept_receives(f, k->arguments, k->comm);
    bool broadcasts = f->alike && f->flow == ISP_FLOW_FROM_ROOT, root = k->root == prof_world_rank;
    prof_map_begin();
    if (prof_kept_sends(f, k->arguments, k->comm))
        tell_side(k, PROF_FORM_SEND, false);
    else if (gives_in_place(k, receives))
        tell_side(k, PROF_FORM_RECV, false);
    if (receives && !(broadcasts && root))
        tell_side(k, PROF_FORM_RECV, true);
    prof_map_attach(call);
}
