/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of a collective for its record: what this rank gives to each member, and what it takes from each
 * (MPI-4.0, chapters 6 and 8). Mostly that is one type and one count; where it is not the same for all (the v
 * and w functions) it is a list of shares, equal ones beside each other told once. Only arguments that mean
 * something on this rank are looked at.
 *
 * MPI_IN_PLACE in a function without root: what a rank gives is then what it would take of itself
 * (MPI_Allgather), or what it takes from each (MPI_Alltoall).
 */
#include "kept.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "neighbours.h"

/* ---- reading the arguments ---- */

/* Counts and types of one side; `length` of them, or one that holds for all (-1). */
struct side {
    const struct prof_form_argument *count, *type;
    int length;
};

static const void *value_at(const struct prof_kept *k, const struct prof_form_argument *a, int i)
{
    const void *value = prof_form_at(k->arguments, a->place);
    return a->array ? *(const char *const *)value + (size_t)i * a->bytes : value;
}

static uint64_t count_at(const struct prof_kept *k, const struct prof_form_argument *a, int i)
{
    const void *value = value_at(k, a, i);
    return (uint64_t)(a->bytes == sizeof(int) ? *(const int *)value : *(const MPI_Count *)value);
}

static bool concerns(const struct prof_form *form, const struct prof_form_argument *a,
                     enum prof_form_side side)
{
    return a->side == side || a->side == PROF_FORM_BOTH || form->op >= 0;
}

static struct side look(const struct prof_kept *k, enum prof_form_side side)
{
    struct side s = {.length = -1};
    for (const struct prof_form_argument *a = k->form->arguments; a->bytes; a++) {
        if (!concerns(k->form, a, side) || a->kind == PROF_FORM_DISPL)
            continue;
        *(a->kind == PROF_FORM_TYPE ? &s.type : &s.count) = a;
        if (a->array)
            s.length = prof_kept_length(k->form, a, k->comm);
    }
    return s;
}

static struct isp_share share_at(const struct prof_kept *k, const struct side *s, int i)
{
    MPI_Datatype handle = *(const MPI_Datatype *)value_at(k, s->type, i);
    struct prof_type *entry;
    MPI_Count size;
    struct isp_call sign = {0};
    if (prof_type_find(handle, &size, &entry))
        prof_type_sign(&sign, handle, entry, (MPI_Count)count_at(k, s->count, i));
    return (struct isp_share){1, ISP_NO_RANK, sign.type, sign.count};
}

/* ---- writing the record ---- */

struct shares {
    struct isp_share *all;
    uint32_t n, room;
};

static void append(struct shares *to, struct isp_share share)
{
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 8;
        to->all = prof_grow(to->all, to->room, sizeof *to->all);
    }
    to->all[to->n++] = share;
}

/* All values of one side, equal ones beside each other as one share. */
static void append_all(struct shares *to, const struct prof_kept *k, const struct side *s)
{
    uint32_t first = to->n;
    for (int i = 0; i < s->length; i++) {
        struct isp_share share = share_at(k, s, i), *last = to->n > first ? &to->all[to->n - 1] : NULL;
        if (last && last->type == share.type && last->count == share.count)
            last->n++;
        else
            append(to, share);
    }
}

/* Places of a neighbourhood: each with its member. */
static void append_neighbours(struct shares *to, const struct prof_kept *k, const struct side *s)
{
    int in, out;
    if (!prof_neighbours_count(k->comm->handle, &in, &out))
        return;
    int *ranks = prof_alloc((size_t)in + (size_t)out, sizeof *ranks);
    prof_neighbours_get(k->comm->handle, in, ranks, out, ranks + in);
    for (int i = 0; i < s->length && i < out; i++) {
        struct isp_share share = share_at(k, s, i);
        if (ranks[in + i] != MPI_PROC_NULL)
            share.peer = prof_comm_world(k->comm, ranks[in + i]);
        append(to, share);
    }
    free(ranks);
}

/* One side: as shares, or, where one says it all, as type and count. */
static void sign(struct shares *to, const struct prof_kept *k, enum prof_form_side which, uint32_t *type,
                 uint64_t *count)
{
    struct side s = look(k, which);
    if (!s.count || !s.type)
        return;
    uint32_t before = to->n;
    struct isp_share one = {0};
    if (s.length < 0)
        one = share_at(k, &s, 0);
    else
        append_all(to, k, &s);
    if (to->n - before == 1)
        one = to->all[--to->n];
    *type = one.type;
    *count = one.count;
    if (to->n > before && k->form->neighbour && which == PROF_FORM_SEND) {
        to->n = before;
        append_neighbours(to, k, &s);
    }
}

/* ---- reductions: all members say the same ---- */

static int group_size(const struct prof_kept *k)
{
    int size = 0;
    PMPI_Comm_size(k->comm->handle, &size);
    return size;
}

/* One that scatters is over as many values as all members get; and how many each of them gets is told. */
static void sign_reduction(struct isp_call *call, struct shares *to, const struct prof_kept *k)
{
    struct side s = look(k, PROF_FORM_BOTH);
    if (!s.count || !s.type)
        return;
    struct isp_share all = share_at(k, &s, 0);
    append_all(to, k, &s);
    for (int i = 1; i < s.length; i++)
        all.count += share_at(k, &s, i).count;
    if (s.length < 0 && s.count->side == PROF_FORM_RECV && k->comm->inter)
        all.count *= (uint64_t)group_size(k);
    call->type = call->taken_type = all.type;
    call->count = call->taken_count = all.count;
    call->n_taken = to->n;
}

/* ---- MPI_IN_PLACE ---- */

static void give_what_is_taken(struct isp_call *call, struct shares *to, const struct prof_kept *k)
{
    struct isp_share own = {1, ISP_NO_RANK, call->taken_type, call->taken_count};
    uint32_t n = to->n;
    if (k->form->alike && n) {
        struct side s = look(k, PROF_FORM_RECV);
        own = share_at(k, &s, k->comm->rank);
    }
    for (uint32_t i = 0; i < n && !k->form->alike; i++) {
        struct isp_share share = to->all[i];
        append(to, share);
        call->n_given = n;
    }
    call->type = own.type;
    call->count = own.count;
}

/* ---- the record ---- */

/* The list of the record: the members that it names, then the shares. */
static void attach(struct isp_call *call, struct prof_kept *k, const struct shares *shares)
{
    if (shares->n == 0)
        return;
    k->sources = prof_grow(k->sources, call->n + (size_t)ISP_SHARE_WORDS * shares->n, sizeof *k->sources);
    for (uint32_t i = 0; i < shares->n; i++)
        isp_share_write(k->sources + call->n + (size_t)ISP_SHARE_WORDS * i, &shares->all[i]);
    call->list = k->sources;
}

static bool is_both(const struct prof_form *f)
{
    bool both = true; /* a broadcast */
    for (const struct prof_form_argument *a = f->arguments; a->bytes; a++)
        both &= a->side == PROF_FORM_BOTH;
    return both;
}

static void sign_sides(struct isp_call *call, struct shares *to, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    bool both = is_both(f);
    if (both || prof_kept_sends(f, k->arguments, k->comm))
        sign(to, k, PROF_FORM_SEND, &call->type, &call->count);
    call->n_given = to->n;
    if (both || prof_kept_receives(f, k->arguments, k->comm))
        sign(to, k, PROF_FORM_RECV, &call->taken_type, &call->taken_count);
    call->n_taken = to->n - call->n_given;
    if (f->root < 0 && (call->flags & ISP_F_IN_PLACE))
        give_what_is_taken(call, to, k);
}

void prof_kept_sign(struct isp_call *call, struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    if (f->root >= 0 && k->root == ISP_NO_RANK)
        return;
    if (f->root < 0 && f->sendbuf >= 0 && prof_form_sendbuf(f, k->arguments) == MPI_IN_PLACE)
        call->flags |= ISP_F_IN_PLACE;
    if (f->neighbour && prof_neighbours_are_a_grid(k->comm->handle))
        call->flags |= ISP_F_EITHER_WAY;
    struct shares shares = {0};
    if (f->op >= 0)
        sign_reduction(call, &shares, k);
    else
        sign_sides(call, &shares, k);
    attach(call, k, &shares);
    free(shares.all);
}
