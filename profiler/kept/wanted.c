/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose data a member of a collective gets: see wanted.h. */
#include "wanted.h"

#include "base/alloc.h"

static bool is_empty(const struct prof_kept *k, int i)
{
    const struct prof_form_argument *count = prof_form_find(k->form, PROF_FORM_COUNT, PROF_FORM_RECV);
    const struct prof_form_argument *type = prof_form_find(k->form, PROF_FORM_TYPE, PROF_FORM_RECV);
    MPI_Count size = 0;
    if (prof_form_number(count, k->arguments, i) == 0)
        return true;
    PMPI_Type_size_x(*(const MPI_Datatype *)prof_form_value(type, k->arguments, i), &size);
    return size == 0;
}

/* All reduce as much. Where the result is scattered all know who gets nothing of it; of the two groups of an
 * intercommunicator each knows its own. */
static void look_at_reduction(struct prof_kept *k, const struct prof_form_argument *count)
{
    if (!count->array) {
        k->takes_nothing = is_empty(k, 0);
        k->with_slots = k->takes_nothing;
        return;
    }
    int n = prof_kept_length(k->form, count, k->comm);
    k->takes_nothing = is_empty(k, k->comm->rank);
    k->with_slots = k->comm->inter;
    for (int i = 0; i < n && !k->with_slots; i++)
        k->with_slots = is_empty(k, i);
}

static void mark_neighbours(struct prof_kept *k)
{
    for (uint32_t i = 0; i < k->n_sources; i++)
        if (is_empty(k, (int)i))
            k->sources[i] |= ISP_SOURCE_EMPTY;
}

static void list_sources(struct prof_kept *k)
{
    const struct prof_comm *c = k->comm;
    bool in_place = !c->inter && prof_form_sendbuf(k->form, k->arguments) == MPI_IN_PLACE;
    k->sources = prof_alloc((size_t)c->size + 1, sizeof *k->sources);
    for (int i = 0; i < c->size; i++)
        if (!(in_place && i == c->rank) && !is_empty(k, i))
            k->sources[k->n_sources++] = (uint32_t)prof_comm_world(c, i);
}

void prof_wanted_find(struct prof_kept *k)
{
    const struct prof_form *f = k->form;
    const struct prof_form_argument *count = prof_form_find(f, PROF_FORM_COUNT, PROF_FORM_RECV);
    bool all = f->flow == ISP_FLOW_ALL, lists = count && count->array && !f->neighbour && f->op < 0;
    k->flow = lists || (count && all && f->op < 0 && k->comm->inter) ? ISP_FLOW_SOURCES : f->flow;
    if (!count || (f->root >= 0 && k->root == ISP_NO_RANK)) /* a barrier; or it has no part in it */
        return;
    bool takes = prof_kept_receives(f, k->arguments, k->comm);
    if (f->op >= 0) {
        look_at_reduction(k, count);
    } else if (f->neighbour) {
        mark_neighbours(k);
    } else if (f->flow == ISP_FLOW_FROM_ROOT) {
        k->takes_nothing = takes && k->root != prof_world_rank && is_empty(k, 0);
    } else if (k->flow == ISP_FLOW_SOURCES) {
        if (takes)
            list_sources(k);
    } else {
        k->takes_nothing = takes && is_empty(k, 0);
        k->with_slots = all && k->takes_nothing;
    }
}
