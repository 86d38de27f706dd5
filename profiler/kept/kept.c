/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of collectives that are issued later: see kept.h. */
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "neighbours.h"
#include "tables/reductions.h"
#include "wanted.h"

/* ---- roots and operations ---- */

/* A builtin operation has the same handle everywhere. A handle of the program's own says
 * nothing: ranks may have made other operations before, or made the same one twice. Whether it commutes
 * must be alike. */
uint32_t prof_redop_number(MPI_Op op)
{
    if (op == MPI_OP_NULL || ((unsigned)op & 0xc0000000u) == 0)
        return 0;
    if (((unsigned)op & 0xc0000000u) == 0x40000000u)
        return (uint32_t)op;
    int commutes = 0;
    PMPI_Op_commutative(op, &commutes);
    return UINT32_MAX - (uint32_t)(commutes != 0);
}

/* In an intercommunicator the root's group passes MPI_ROOT and MPI_PROC_NULL, the other group the root's
 * rank. */
bool prof_root_find(const struct prof_comm *c, int root, int32_t *world)
{
    *world = ISP_NO_RANK;
    if (root == PROF_NO_ROOT || (c->inter && root == MPI_PROC_NULL))
        return true;
    if (c->inter && root == MPI_ROOT)
        *world = prof_world_rank;
    else if (root >= 0 && root < c->size)
        *world = prof_comm_world(c, root);
    return *world != ISP_NO_RANK;
}

/* ---- which arguments mean something on this rank (MPI-4.0, sections 6.2 and 6.4 to 6.9) ---- */

static bool is_root(const struct prof_comm *c, int root)
{
    return c->inter ? root == MPI_ROOT : root == c->rank;
}

/* In an intercommunicator data flows from one group to the other: is this rank in the group that is not the
 * root's? */
static bool is_opposite(const struct prof_comm *c, int root)
{
    return !c->inter || root == PROF_NO_ROOT || root >= 0;
}

bool prof_kept_sends(const struct prof_form *form, const void *arguments, const struct prof_comm *c)
{
    int root = prof_form_root(form, arguments);
    if (form->flow == ISP_FLOW_FROM_ROOT ? !is_root(c, root) : !is_opposite(c, root))
        return false;
    return prof_form_sendbuf(form, arguments) != MPI_IN_PLACE;
}

bool prof_kept_receives(const struct prof_form *form, const void *arguments, const struct prof_comm *c)
{
    int root = prof_form_root(form, arguments);
    if (form->flow == ISP_FLOW_TO_ROOT ? !is_root(c, root) : !is_opposite(c, root))
        return false;
    return prof_form_recvbuf(form, arguments) != MPI_IN_PLACE;
}

static bool is_significant(const struct prof_form *form, const struct prof_form_argument *a,
                           const void *arguments, const struct prof_comm *c)
{
    switch (a->side) {
    case PROF_FORM_SEND: return prof_kept_sends(form, arguments, c);
    case PROF_FORM_RECV: return prof_kept_receives(form, arguments, c);
    default: return !c->inter || prof_form_root(form, arguments) != MPI_PROC_NULL;
    }
}

int prof_kept_length(const struct prof_form *form, const struct prof_form_argument *a,
                     const struct prof_comm *c)
{
    if (form->neighbour) {
        int in, out;
        if (!prof_neighbours_count(c->handle, &in, &out))
            return -1;
        return a->side == PROF_FORM_SEND ? out : in;
    }
    int size = c->size;
    if (form->op >= 0) /* MPI_Ireduce_scatter scatters within the local group */
        PMPI_Comm_size(c->handle, &size);
    return size;
}

/* ---- checks, copies, holds ---- */

static bool hold_type(struct prof_kept *k, MPI_Datatype *handle)
{
    MPI_Count size;
    struct prof_type *type;
    if (!prof_type_find(*handle, &size, &type)) {
        if (prof_type_is_freed(*handle))
            *handle = MPI_DATATYPE_NULL;
        return false;
    }
    if (type) {
        prof_type_hold(type);
        k->types = prof_grow(k->types, k->n_types + 1, sizeof *k->types);
        k->types[k->n_types++] = type;
    }
    return true;
}

static bool is_negative(const void *value, unsigned bytes)
{
    return bytes == sizeof(int) ? *(const int *)value < 0 : *(const int64_t *)value < 0;
}

/* The array is replaced by a copy of it. */
static void copy_array(struct prof_kept *k, const struct prof_form_argument *a, void **array, int n)
{
    void *copy = prof_alloc((size_t)n, a->bytes);
    memcpy(copy, *array, (size_t)n * a->bytes);
    *array = copy;
    k->copies = prof_grow(k->copies, k->n_copies + 1, sizeof *k->copies);
    k->copies[k->n_copies++] = copy;
}

static bool take_values(struct prof_kept *k, const struct prof_form_argument *a, void *values, int n)
{
    for (int i = 0; i < n; i++) {
        void *value = (char *)values + (size_t)i * a->bytes;
        if (a->kind == PROF_FORM_TYPE && !hold_type(k, value))
            return false;
        if (a->kind == PROF_FORM_COUNT && is_negative(value, a->bytes))
            return false;
    }
    return true;
}

static bool take_argument(struct prof_kept *k, const struct prof_form_argument *a)
{
    if (!is_significant(k->form, a, k->arguments, k->comm))
        return true;
    void *value = prof_form_at(k->arguments, a->place);
    if (!a->array)
        return take_values(k, a, value, 1);
    int n = prof_kept_length(k->form, a, k->comm);
    void **array = value;
    if (n < 0 || (n > 0 && !*array))
        return false;
    if (n > 0)
        copy_array(k, a, array, n);
    return take_values(k, a, *array, n);
}

static bool take(struct prof_kept *k)
{
    MPI_Op op = prof_form_op(k->form, k->arguments);
    for (const struct prof_form_argument *a = k->form->arguments; a->bytes; a++)
        if (!take_argument(k, a))
            return false;
    if (k->form->neighbour && !(k->sources = prof_neighbours_sources(k->comm, &k->n_sources)))
        return false;
    if (k->form->op >= 0 && op == MPI_OP_NULL)
        return false;
    prof_reduction_hold(op);
    k->redop = prof_redop_number(op);
    return true;
}

/* ---- life ---- */

static void destroy(struct prof_kept *k)
{
    for (uint32_t i = 0; i < k->n_types; i++)
        prof_type_release(k->types[i]);
    for (uint32_t i = 0; i < k->n_copies; i++)
        free(k->copies[i]);
    free(k->types);
    free(k->copies);
    free(k->sources);
    free(k->arguments);
    free(k);
}

struct prof_kept *prof_kept_create(const struct prof_form *form, enum isp_fn fn, const void *site,
                                   void *arguments)
{
    struct prof_comm *c = prof_comm_use(prof_form_comm(form, arguments));
    int32_t root;
    if (!c || !prof_root_find(c, prof_form_root(form, arguments), &root))
        return NULL;
    struct prof_kept *k = prof_alloc(1, sizeof *k);
    *k = (struct prof_kept){.form = form, .fn = fn, .site = site, .comm = c, .root = root, .users = 1};
    k->arguments = prof_alloc(1, form->size);
    memcpy(k->arguments, arguments, form->size);
    if (!take(k)) {
        destroy(k);
        return NULL;
    }
    prof_wanted_find(k);
    prof_comm_hold(c);
    return k;
}

void prof_kept_hold(struct prof_kept *kept) { kept->users++; }

void prof_kept_drop(struct prof_kept *kept)
{
    if (!kept || --kept->users > 0)
        return;
    prof_reduction_release(prof_form_op(kept->form, kept->arguments));
    prof_comm_release(kept->comm);
    destroy(kept);
}

struct isp_call prof_kept_call(struct prof_kept *kept)
{
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE,
        .mode = (uint8_t)kept->make,
        .fn = (uint16_t)kept->fn,
        .comm = kept->comm->number,
        .root = kept->root,
        .redop = kept->redop,
        .key = kept->persistent,
        .flow = (uint8_t)kept->flow,
        .flags = kept->takes_nothing ? ISP_F_TAKES_NOTHING : 0,
        .list = kept->sources,
        .n = kept->n_sources,
    };
    prof_kept_sign(&call, kept);
    return call;
}

/* ---- the state of the rank ---- */

static bool is_copy(const struct prof_kept *k, const void *array)
{
    for (uint32_t i = 0; i < k->n_copies; i++)
        if (k->copies[i] == array)
            return true;
    return false;
}

static void hash_argument(struct prof_hash *h, const struct prof_kept *k, const struct prof_form_argument *a)
{
    const void *value = prof_form_at(k->arguments, a->place);
    if (!a->array) {
        prof_hash_bytes(h, value, a->bytes);
        return;
    }
    const void *array = *(void *const *)value;
    int n = is_copy(k, array) ? prof_kept_length(k->form, a, k->comm) : 0;
    prof_hash_bytes(h, array, n > 0 ? (size_t)n * a->bytes : 0);
}

void prof_kept_hash(struct prof_hash *h, const struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    prof_hash_word(h, (uint64_t)k->fn << 32 | (uint32_t)k->comm->number);
    prof_hash_pointer(h, k->site);
    prof_hash_word(h, (uint64_t)(uint32_t)k->root << 32 | k->redop);
    prof_hash_word(h, (uint64_t)prof_form_op(f, k->arguments));
    prof_hash_pointer(h, prof_form_sendbuf(f, k->arguments));
    prof_hash_pointer(h, prof_form_recvbuf(f, k->arguments));
    for (const struct prof_form_argument *a = f->arguments; a->bytes; a++)
        hash_argument(h, k, a);
    prof_hash_word(h, (uint64_t)k->make << 32 | (uint32_t)k->made);
    prof_hash_word(h, (uint64_t)(uint32_t)k->persistent << 32 | k->flow);
    prof_hash_word(h, k->takes_nothing | k->with_slots << 1 | (k->finish != NULL) << 2);
    prof_hash_bytes(h, k->sources, k->n_sources * sizeof *k->sources);
}
