/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of a collective for its record: what this rank gives to each member, and what it takes
 * from each (MPI-4.0, chapter 6). Said only where it is the same for all members, and where every member that is
 * given something must take just that: not for the v and w functions, not for neighbourhoods, and not where both groups of an
 * intercommunicator give (each may give something else).
 */
#include "kept.h"

struct side {
    bool known; /* one type and one count */
    MPI_Datatype type;
    MPI_Count count;
};

static MPI_Count value_at(const void *value, unsigned bytes)
{
    return bytes == sizeof(int) ? *(const int *)value : *(const MPI_Count *)value;
}

/* The count of a reduction that scatters is the sum of what the members get. */
static MPI_Count count_of(const struct prof_kept *k, const struct prof_form_argument *a)
{
    const void *value = prof_form_at(k->arguments, a->place);
    if (!a->array)
        return value_at(value, a->bytes);
    MPI_Count sum = 0;
    int size = 0;
    PMPI_Comm_size(k->comm->handle, &size);
    for (int i = 0; i < size; i++)
        sum += value_at(*(const char *const *)value + (size_t)i * a->bytes, a->bytes);
    return sum;
}

static bool concerns(const struct prof_form *form, const struct prof_form_argument *a, enum prof_form_side side)
{
    return a->side == side || a->side == PROF_FORM_BOTH || form->op >= 0;
}

static struct side look(const struct prof_kept *k, enum prof_form_side side)
{
    struct side s = {.type = MPI_DATATYPE_NULL, .count = -1};
    for (const struct prof_form_argument *a = k->form->arguments; a->bytes; a++) {
        if (!concerns(k->form, a, side))
            continue;
        if (a->kind == PROF_FORM_DISPL || (a->array && k->form->op < 0))
            return s;
        if (a->kind == PROF_FORM_TYPE)
            s.type = *(MPI_Datatype *)prof_form_at(k->arguments, a->place);
        else
            s.count = count_of(k, a);
    }
    s.known = s.type != MPI_DATATYPE_NULL && s.count >= 0;
    return s;
}

static void sign(const struct side *s, uint32_t *type, uint64_t *count)
{
    struct prof_type *entry;
    MPI_Count size;
    if (!s->known || !prof_type_find(s->type, &size, &entry))
        return;
    struct isp_call signed_ = {0};
    prof_type_sign(&signed_, s->type, entry, s->count);
    *type = signed_.type;
    *count = signed_.count;
}

void prof_kept_sign(struct isp_call *call, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    if (f->neighbour || (k->comm->inter && f->root < 0) || (f->root >= 0 && k->root == ISP_NO_RANK))
        return;
    bool both = true, arrays = false; /* both: a broadcast or reduction, where whoever takes part says the same */
    for (const struct prof_form_argument *a = f->arguments; a->bytes; a++) {
        both &= a->side == PROF_FORM_BOTH || f->op >= 0;
        arrays |= a->array;
    }
    if (arrays && !both && f->root < 0) /* a root that tells all is compared with each, but here each gives something else */
        return;
    struct side out = look(k, PROF_FORM_SEND), in = look(k, PROF_FORM_RECV);
    if (both || prof_kept_sends(f, k->arguments, k->comm))
        sign(&out, &call->type, &call->count);
    if (both || prof_kept_receives(f, k->arguments, k->comm))
        sign(&in, &call->taken_type, &call->taken_count);
}
