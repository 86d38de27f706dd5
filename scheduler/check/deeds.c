/* SPDX-License-Identifier: BSD-3-Clause */
/* See deeds.h. The deeds are an open hash table, whose size is a power of two and at least twice their
 * number. */
#include "deeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/mix.h"
#include "isp/functions.h"
#include "poe/poe.h"

enum { FIRST_ROOM = 64 };

struct made {
    struct sched_made *list;
    size_t n;
};

struct sched_deeds {
    int ranks;
    struct sched_last_call *last;       /* by rank */
    struct sched_taken_message **taken; /* by rank, then by source; op 0: none. A rank without: NULL */
    struct sched_deed *deeds;           /* count 0: free */
    size_t n, room;
    struct made started, unstarted;
};

static struct sched_deeds *of(struct sched_deeds **deeds, int ranks)
{
    struct sched_deeds *h = *deeds;
    if (h)
        return h;
    h = *deeds = sched_alloc(1, sizeof *h);
    h->ranks = ranks;
    h->last = sched_alloc((size_t)ranks, sizeof *h->last);
    h->taken = sched_alloc((size_t)ranks, sizeof *h->taken);
    h->room = FIRST_ROOM;
    h->deeds = sched_alloc(h->room, sizeof *h->deeds);
    return h;
}

/* ---- deeds ---- */

static bool is_same(const struct sched_deed *a, const struct sched_deed *b)
{
    bool tags = a->told && b->told; /* of which there are few */
    return a->rank == b->rank && a->site == b->site && a->fn == b->fn && a->op == b->op &&
           a->null == b->null && (!tags || (a->tag == b->tag && a->comm == b->comm));
}

/* Where it is, or would be. */
static struct sched_deed *slot_of(const struct sched_deeds *h, const struct sched_deed *deed)
{
    uint64_t kind = (uint64_t)deed->fn << 16 | (unsigned)deed->op << 1 | deed->null;
    size_t i = (size_t)sched_mix(sched_mix((uint64_t)deed->rank, deed->site), kind);
    for (;; i++) {
        struct sched_deed *d = &h->deeds[i & (h->room - 1)];
        if (!d->count || is_same(d, deed))
            return d;
    }
}

static void grow(struct sched_deeds *h)
{
    struct sched_deeds larger = *h;
    larger.room *= 2;
    larger.deeds = sched_alloc(larger.room, sizeof *larger.deeds);
    for (size_t i = 0; i < h->room; i++)
        if (h->deeds[i].count)
            *slot_of(&larger, &h->deeds[i]) = h->deeds[i];
    free(h->deeds);
    *h = larger;
}

static void add(struct sched_deeds *h, struct sched_deed deed)
{
    struct sched_deed *d = slot_of(h, &deed);
    deed.count = d->count + 1;
    h->n += !d->count;
    if (deed.index >= d->index) /* matches of one rank fire in an order that depends on time */
        *d = deed;
    d->count = deed.count;
    if (h->n * 2 > h->room)
        grow(h);
}

static void add_half(struct sched_deeds *h, const struct poe_transition *t, const struct isp_call *message,
                     const struct poe_transition *partner)
{
    add(h, (struct sched_deed){.rank = t->rank,
                               .op = t->call.op,
                               .fn = t->call.fn,
                               .site = t->call.site,
                               .index = t->index,
                               .comm = message->comm,
                               .tag = message->tag,
                               .partner = partner->rank,
                               .partner_fn = partner->call.fn,
                               .partner_site = partner->call.site});
}

void sched_deeds_each(const struct sched_deeds *deeds,
                      void (*see)(const struct sched_deed *deed, void *context), void *context)
{
    for (size_t i = 0; deeds && i < deeds->room; i++)
        if (deeds->deeds[i].count)
            see(&deeds->deeds[i], context);
}

/* ---- what wildcards took ---- */

static void note_taken(struct sched_deeds *h, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    struct sched_taken_message **all = &h->taken[receive->rank];
    if (receive->call.peer != ISP_ANY_SOURCE && receive->call.tag != ISP_ANY_TAG)
        return;
    if (!*all)
        *all = sched_alloc((size_t)h->ranks, sizeof **all);
    struct sched_taken_message *m = &(*all)[send->rank];
    m->receive = receive->call;
    m->receive.list = NULL;
    m->receive.n = 0;
    m->send_comm = send->call.comm;
    m->send_tag = send->call.tag;
}

const struct sched_taken_message *sched_deeds_taken(const struct sched_deeds *deeds, int rank, int source)
{
    const struct sched_taken_message *all = deeds ? deeds->taken[rank] : NULL;
    return all && all[source].receive.op ? &all[source] : NULL;
}

/* ---- what happens ---- */

static bool is_to_nobody(const struct isp_call *c)
{
    bool message = c->op == ISP_OP_SEND || (c->op == ISP_OP_RECV && c->mode == ISP_RECV_NORMAL);
    return message && c->peer == ISP_NO_RANK && !(c->flags & (ISP_F_SIGNAL | ISP_F_HELD));
}

void sched_deeds_call(struct sched_deeds **deeds, int ranks, int rank, const struct isp_call *call)
{
    struct sched_deeds *h = of(deeds, ranks);
    if (call->op != ISP_OP_FINALIZE)
        h->last[rank] = (struct sched_last_call){call->fn, call->site};
    if (is_to_nobody(call))
        add(h, (struct sched_deed){.rank = rank,
                                   .op = call->op,
                                   .null = true,
                                   .fn = call->fn,
                                   .site = call->site,
                                   .comm = call->comm,
                                   .tag = call->tag,
                                   .partner = ISP_NO_RANK});
}

void sched_deeds_match(struct sched_deeds **deeds, int ranks, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    struct sched_deeds *h = of(deeds, ranks);
    if (send->call.flags & ISP_F_SIGNAL)
        return;
    note_taken(h, send, receive);
    add_half(h, send, &send->call, receive);
    add_half(h, receive, &send->call, send);
}

void sched_deeds_nobody(struct sched_deeds **deeds, int ranks, struct sched_deed deed)
{
    deed.null = deed.told = true;
    deed.partner = ISP_NO_RANK;
    add(of(deeds, ranks), deed);
}

/* ---- persistent requests ---- */

static void add_made(struct made *all, const struct sched_made *request)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct sched_made *m = &all->list[i];
        if (m->rank == request->rank && m->site == request->site && m->fn == request->fn &&
            m->comm == request->comm && m->peer == request->peer && m->tag == request->tag)
            return;
    }
    all->list = sched_grow(all->list, all->n + 1, sizeof *request);
    all->list[all->n++] = *request;
}

void sched_deeds_started(struct sched_deeds **deeds, int ranks, const struct sched_made *request)
{
    add_made(&of(deeds, ranks)->started, request);
}

void sched_deeds_unstarted(struct sched_deeds **deeds, int ranks, const struct sched_made *request)
{
    add_made(&of(deeds, ranks)->unstarted, request);
}

bool sched_made_receives(const struct sched_made *request)
{
    return request->fn == ISP_FN_MPI_Recv_init || request->fn == ISP_FN_MPI_Recv_init_c ||
           request->fn == ISP_FN_MPI_Precv_init;
}

static bool is_start(const struct isp_call *call)
{
    return call->fn == ISP_FN_MPI_Start || call->fn == ISP_FN_MPI_Startall;
}

const struct sched_made *sched_deeds_maker(const struct sched_deeds *deeds,
                                           const struct poe_transition *operation)
{
    const struct isp_call *c = &operation->call;
    for (size_t i = deeds && is_start(c) ? deeds->started.n : 0; i-- > 0;) {
        const struct sched_made *m = &deeds->started.list[i];
        if (m->rank == operation->rank && m->comm == c->comm && m->peer == c->peer && m->tag == c->tag &&
            sched_made_receives(m) == (c->op == ISP_OP_RECV))
            return m;
    }
    return NULL;
}

const struct sched_made *sched_deeds_next_unstarted(const struct sched_deeds *deeds,
                                                    const struct sched_made *before)
{
    const struct sched_made *next = before ? before + 1 : deeds ? deeds->unstarted.list : NULL;
    return next && next < deeds->unstarted.list + deeds->unstarted.n ? next : NULL;
}

/* ---- the last calls ---- */

struct sched_last_call sched_deeds_last(const struct sched_deeds *deeds, int rank)
{
    return deeds ? deeds->last[rank] : (struct sched_last_call){0};
}

/* ---- the whole ---- */

static void copy_made(struct made *to, const struct made *from)
{
    to->list = from->n ? sched_copy(from->list, from->n * sizeof *from->list) : NULL;
}

struct sched_deeds *sched_deeds_copy(const struct sched_deeds *deeds)
{
    if (!deeds)
        return NULL;
    size_t ranks = (size_t)deeds->ranks;
    struct sched_deeds *copy = sched_copy(deeds, sizeof *deeds);
    copy->last = sched_copy(deeds->last, ranks * sizeof *deeds->last);
    copy->deeds = sched_copy(deeds->deeds, deeds->room * sizeof *deeds->deeds);
    copy_made(&copy->started, &deeds->started);
    copy_made(&copy->unstarted, &deeds->unstarted);
    copy->taken = sched_alloc(ranks, sizeof *copy->taken);
    for (size_t i = 0; i < ranks; i++)
        if (deeds->taken[i])
            copy->taken[i] = sched_copy(deeds->taken[i], ranks * sizeof **deeds->taken);
    return copy;
}

void sched_deeds_destroy(struct sched_deeds *deeds)
{
    for (int i = 0; deeds && i < deeds->ranks; i++)
        free(deeds->taken[i]);
    if (deeds) {
        free(deeds->taken);
        free(deeds->last);
        free(deeds->deeds);
        free(deeds->started.list);
        free(deeds->unstarted.list);
    }
    free(deeds);
}
