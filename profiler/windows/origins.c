/* SPDX-License-Identifier: BSD-3-Clause */
/* See origins.h. Not of ranks with several threads, as all about windows: accesses do not take the lock that
 * pending.h needs. */
#include "origins.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/operations.h"
#include "memory/pending.h"
#include "rma.h"
#include "threads/thread.h"
#include "types/types.h"
#include "windows.h"

static void begin(struct prof_win *w, int target, enum prof_use use, const void *buf, MPI_Count count,
                  MPI_Datatype datatype)
{
    MPI_Count size;
    struct prof_type *entry;
    if (count <= 0 || !prof_type_find(datatype, &size, &entry))
        return;
    struct prof_pending *p = prof_pending_begin_origin(use, buf, count, datatype);
    if (!p)
        return;
    struct prof_origins *o = &w->origins;
    if (o->n == o->room) {
        o->room = 2 * o->room + 8;
        o->all = prof_grow(o->all, o->room, sizeof *o->all);
    }
    o->all[o->n++] = (struct prof_origin){.pending = p, .number = p->number, .target = target};
}

void prof_origins_begin(struct prof_win *w, const struct prof_rma *a)
{
    w->origins.called = w->origins.n;
    if (a->target < 0 || (prof_threads_own_order && prof_threads_several()))
        return;
    if (a->origin_type && a->op != MPI_NO_OP)
        begin(w, a->target, PROF_USE_READ, a->origin, a->origin_count, a->origin_type);
    if (a->result_type)
        begin(w, a->target, PROF_USE_WRITE, a->result, a->result_count, a->result_type);
}

void prof_origins_attach(struct prof_win *w, struct prof_op *op)
{
    for (size_t i = w->origins.called; i < w->origins.n; i++) {
        struct prof_origin *o = &w->origins.all[i];
        o->op = op;
        o->slot = op->number;
        o->pending->next = op->pending;
        op->pending = o->pending;
    }
    /* the next access that has none, of MPI_PROC_NULL or of no bytes, does not begin any */
    w->origins.called = w->origins.n;
}

/* Takes it from its request; false: that is complete, and the buffer with it. */
static bool detach(const struct prof_origin *o)
{
    if (prof_op_at(o->slot) != o->op)
        return false;
    for (struct prof_pending **at = &o->op->pending; *at; at = &(*at)->next)
        if (*at == o->pending && (*at)->number == o->number) {
            *at = (*at)->next;
            return true;
        }
    return false;
}

static void end(struct prof_pending *p, const void **guilty)
{
    const void *site = p->posted.site;
    if (site == *guilty)
        prof_pending_end_one(p);
    else if (prof_pending_end_origin(p))
        *guilty = site;
}

void prof_origins_end(struct prof_win *w, int rank)
{
    if (!w || w->origins.n == 0)
        return;
    size_t kept = 0;
    const void *guilty = NULL; /* a loop of puts from one buffer that changes: the first tells it all */
    for (size_t i = 0; i < w->origins.n; i++) {
        struct prof_origin *o = &w->origins.all[i];
        if (rank != PROF_ALL_RANKS && o->target != rank)
            w->origins.all[kept++] = *o;
        else if (!o->op || detach(o))
            end(o->pending, &guilty);
    }
    w->origins.n = kept;
}

void prof_origins_finish(struct prof_win *w)
{
    prof_origins_end(w, PROF_ALL_RANKS);
    free(w->origins.all);
    w->origins.all = NULL;
}
