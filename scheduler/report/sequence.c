/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order: the members of a match take place together, when isp made it; a wait when what it waits for has, or, at the latest, before the next call
 * of its thread; all else when isp came to know it. MPI_Finalize is last.
 *
 * What comes after what on a rank are the conditions of matches-before within a rank: a blocking call before all after it; a call before the one
 * that waits for it; sends of one channel and tag in their order; a receive before one that accepts nothing but what it would accept itself. Not
 * all successors are listed: the others follow from these.
 */
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/call.h"

enum { MAX_RANKS = 1 << 16 };
enum { NOT_YET = -1, NEVER = -2 }; /* instead of an order; what is stuck never takes place */

/* ---- when it took place ---- */

struct ordering {
    const struct sched_past *past;
    int32_t *order, last;
    int32_t *waits; /* that are known and have not taken place */
    int32_t n_waits;
};

static bool is_fence(const struct sched_past_call *c) { return c->kind->flags & ISP_F_FENCE; }

static void happen(struct ordering *o, int32_t call)
{
    if (o->order[call] == NOT_YET)
        o->order[call] = ++o->last;
}

static bool can_complete(const struct ordering *o, const struct sched_past_call *wait)
{
    bool all = !wait->kind->mode || strcmp(wait->kind->mode, "all") == 0;
    int32_t done = 0;
    for (int32_t i = 0; i < wait->n_requests; i++) {
        int32_t request = o->past->list[wait->first_request + i];
        done += request < 0 || o->order[request] >= 0;
    }
    return done == wait->n_requests || (!all && done > 0);
}

/* after: the call that isp came to know now, of whose thread all waits are over; or -1. */
static void settle_waits(struct ordering *o, int32_t after)
{
    const struct sched_past_call *calls = o->past->calls;
    int32_t kept = 0;
    for (int32_t i = 0; i < o->n_waits; i++) {
        const struct sched_past_call *wait = &calls[o->waits[i]];
        bool over = after >= 0 && wait->rank == calls[after].rank && wait->kind->thread == calls[after].kind->thread;
        if (over || can_complete(o, wait))
            happen(o, o->waits[i]);
        else
            o->waits[kept++] = o->waits[i];
    }
    o->n_waits = kept;
}

static void learn(struct ordering *o, int32_t call)
{
    const struct sched_past_call *c = &o->past->calls[call];
    settle_waits(o, call);
    if (c->number < 0 || sched_past_is(c, "receive") || sched_past_is(c, "probe") || sched_past_is(c, "collective") || sched_past_is(c, "finalize"))
        return;
    const char *mode = c->kind->mode ? c->kind->mode : "";
    bool buffered = strcmp(mode, "buffered") == 0 || (o->past->buffered && strcmp(mode, "standard") == 0);
    if (sched_past_is(c, "send") && !buffered)
        return;
    if (sched_past_is(c, "complete") && !(c->kind->flags & ISP_F_POLL) && !can_complete(o, c))
        o->waits[o->n_waits++] = call;
    else
        happen(o, call);
}

static void match(struct ordering *o, const struct sched_past_match *m)
{
    if (m->receive >= 0 && !sched_past_is(&o->past->calls[m->receive], "probe"))
        happen(o, m->send);
    if (m->receive >= 0)
        happen(o, m->receive);
    for (int32_t i = 0; i < m->n_members; i++)
        happen(o, o->past->list[m->first_member + i]);
    settle_waits(o, -1);
}

static void put_in_order(struct sched_sequence *s, const struct sched_past *past)
{
    struct ordering o = {.past = past, .order = s->order, .waits = sched_alloc((size_t)past->n_calls, sizeof *o.waits)};
    for (int32_t i = 0; i < past->n_waiting; i++)
        if (past->waiting[i].call >= 0 && !past->waiting[i].finished)
            s->order[past->waiting[i].call] = NEVER;
    int32_t m = 0;
    for (; m < past->n_matches && past->matches[m].after < 0; m++)
        match(&o, &past->matches[m]);
    for (int32_t i = 0; i < past->n_calls; i++) {
        learn(&o, i);
        for (; m < past->n_matches && past->matches[m].after <= i; m++)
            match(&o, &past->matches[m]);
    }
    bool finished = past->ending && strcmp(past->ending, "finished") == 0;
    for (int32_t i = 0; finished && i < past->n_calls; i++)
        if (sched_past_is(&past->calls[i], "finalize"))
            happen(&o, i);
    for (int32_t i = 0; i < past->n_calls; i++)
        s->order[i] = s->order[i] == NEVER ? NOT_YET : s->order[i];
    free(o.waits);
}

/* ---- what comes after what on a rank ---- */

/* The last call of a channel, or of a thread. */
struct last {
    struct {
        int64_t rank, thread, comm, peer, tag, what;
    } key;
    int32_t call;
    UT_hash_handle hh;
};

enum what { THREAD, SEND, RECEIVE };

struct edge {
    int32_t from, to;
};

struct linking {
    const struct sched_past *past;
    struct last *lasts;
    struct edge *edges;
    size_t n;
};

static void add_edge(struct linking *l, int32_t from, int32_t to)
{
    if (from < 0 || from == to)
        return;
    SCHED_GROW(l->edges, l->n);
    l->edges[l->n++] = (struct edge){from, to};
}

static struct last *last_of(struct linking *l, const struct sched_past_call *c, enum what what, int64_t peer, int64_t tag)
{
    struct last *last, wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.key.rank = c->rank;
    wanted.key.thread = c->kind->thread;
    wanted.key.what = what;
    if (what != THREAD) {
        wanted.key.comm = c->kind->comm;
        wanted.key.peer = peer;
        wanted.key.tag = tag;
    }
    HASH_FIND(hh, l->lasts, &wanted.key, sizeof wanted.key, last);
    if (last)
        return last;
    last = sched_alloc(1, sizeof *last);
    *last = wanted;
    last->call = -1;
    HASH_ADD(hh, l->lasts, key, sizeof last->key, last);
    return last;
}

static void link_call(struct linking *l, int32_t call)
{
    const struct sched_past_call *c = &l->past->calls[call];
    struct last *thread = last_of(l, c, THREAD, 0, 0);
    bool send = sched_past_is(c, "send"), receive = sched_past_is(c, "receive");
    if (thread->call >= 0 && is_fence(&l->past->calls[thread->call]))
        add_edge(l, thread->call, call);
    thread->call = call;
    for (int32_t i = 0; i < c->n_requests; i++)
        add_edge(l, l->past->list[c->first_request + i], call);
    int64_t peer = c->kind->peer, tag = c->kind->tag;
    if (receive && peer != ISP_ANY_SOURCE)
        add_edge(l, last_of(l, c, RECEIVE, ISP_ANY_SOURCE, tag)->call, call);
    if (receive && tag != ISP_ANY_TAG)
        add_edge(l, last_of(l, c, RECEIVE, peer, ISP_ANY_TAG)->call, call);
    if (receive && peer != ISP_ANY_SOURCE && tag != ISP_ANY_TAG)
        add_edge(l, last_of(l, c, RECEIVE, ISP_ANY_SOURCE, ISP_ANY_TAG)->call, call);
    if (send || receive) {
        struct last *channel = last_of(l, c, send ? SEND : RECEIVE, peer, tag);
        add_edge(l, channel->call, call);
        channel->call = call;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

static void link_calls(struct sched_sequence *s, const struct sched_past *past)
{
    struct linking l = {.past = past};
    for (int32_t i = 0; i < past->n_calls; i++)
        if (past->calls[i].number >= 0)
            link_call(&l, i);
    if (l.n)
        qsort(l.edges, l.n, sizeof *l.edges, by_place);
    s->next = sched_alloc(l.n, sizeof *s->next);
    int32_t n = 0;
    size_t e = 0;
    for (int32_t i = 0; i < past->n_calls; i++) {
        s->first[i] = n;
        bool more = true; /* what comes after a blocking call follows from it */
        for (; e < l.n && l.edges[e].from == i; e++) {
            if (!more || (n > s->first[i] && s->next[n - 1] == l.edges[e].to))
                continue;
            s->next[n++] = l.edges[e].to;
            more = !is_fence(&past->calls[l.edges[e].to]) || past->calls[l.edges[e].to].kind->thread != past->calls[i].kind->thread;
        }
    }
    s->first[past->n_calls] = n;
    free(l.edges);
    struct last *last, *rest;
    HASH_ITER(hh, l.lasts, last, rest) {
        HASH_DEL(l.lasts, last);
        free(last);
    }
}

/* ---- both ---- */

static void number_calls(struct sched_sequence *s, const struct sched_past *past)
{
    for (int32_t i = 0; i < past->n_calls; i++)
        if (past->calls[i].rank >= s->ranks && past->calls[i].rank < MAX_RANKS)
            s->ranks = past->calls[i].rank + 1;
    int32_t *counts = sched_alloc((size_t)s->ranks, sizeof *counts), n = 0;
    for (int32_t i = 0; i < past->n_calls; i++) {
        int64_t rank = past->calls[i].rank;
        s->index[i] = past->calls[i].number >= 0 && rank >= 0 && rank < s->ranks ? counts[rank]++ : -1;
    }
    s->rank_first = sched_alloc((size_t)s->ranks + 1, sizeof *s->rank_first);
    for (int64_t rank = 0; rank < s->ranks; rank++) {
        s->rank_first[rank] = n;
        n += counts[rank];
    }
    s->rank_first[s->ranks] = n;
    s->by_rank = sched_alloc((size_t)n, sizeof *s->by_rank);
    for (int32_t i = 0; i < past->n_calls; i++)
        if (s->index[i] >= 0)
            s->by_rank[s->rank_first[past->calls[i].rank] + s->index[i]] = i;
    free(counts);
}

void sched_sequence_init(struct sched_sequence *s, const struct sched_past *past)
{
    size_t n = (size_t)past->n_calls;
    *s = (struct sched_sequence){.order = sched_alloc(n, sizeof *s->order), .index = sched_alloc(n, sizeof *s->index), .first = sched_alloc(n + 1, sizeof *s->first)};
    memset(s->order, 0xff, n * sizeof *s->order);
    number_calls(s, past);
    put_in_order(s, past);
    link_calls(s, past);
}

void sched_sequence_finish(struct sched_sequence *s)
{
    free(s->order);
    free(s->index);
    free(s->first);
    free(s->next);
    free(s->rank_first);
    free(s->by_rank);
}
