/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order: the members of a match take place together, when isp made it; a wait when what it waits for has,
 * or, at the latest, before the next call of its thread; all else when isp came to know it. MPI_Finalize is
 * last.
 *
 * What comes after what on a rank is matches-before, from poe/ancestors.h. Not all successors are listed: the
 * others follow from these.
 */
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/call.h"
#include "trace/op_words.h"

enum { MAX_RANKS = 1 << 16 };
enum { NOT_YET = -1, NEVER = -2 }; /* instead of an order; what is stuck never takes place */

/* ---- when it took place ---- */

struct ordering {
    const struct sched_past *past;
    int32_t *order, last;
    int32_t *waits; /* that are known and have not taken place */
    int32_t n_waits;
};

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
        bool over =
            after >= 0 && wait->rank == calls[after].rank && wait->kind->thread == calls[after].kind->thread;
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
    if (c->number < 0 || sched_past_is(c, "receive") || sched_past_is(c, "probe") ||
        sched_past_is(c, "collective") || sched_past_is(c, "finalize"))
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
    struct ordering o = {
        .past = past, .order = s->order, .waits = sched_alloc((size_t)past->n_calls, sizeof *o.waits)};
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

/* Calls with a number, as poe/ancestors.h counts them: and back. */
struct known {
    struct poe_ancestors *ancestors;
    int32_t *calls, *numbers; /* numbers: of each call, or -1 */
    int32_t n;
};

static void know_call(struct known *k, const struct sched_past *past, int32_t call)
{
    const struct sched_past_call *c = &past->calls[call];
    if (c->number < 0 || c->rank < 0 || c->rank >= MAX_RANKS)
        return;
    struct poe_ancestor_call known =
        sched_ancestor_call(c->kind->op, c->kind->mode,
                            &(struct sched_kind_numbers){.thread = c->kind->thread,
                                                         .comm = c->kind->comm,
                                                         .peer = c->kind->peer,
                                                         .tag = c->kind->tag,
                                                         .flags = c->kind->flags});
    int32_t *named = sched_alloc((size_t)c->n_requests, sizeof *named);
    for (int32_t i = 0; i < c->n_requests; i++) {
        int32_t request = past->list[c->first_request + i];
        named[i] = request < 0 ? -1 : k->numbers[request];
    }
    known.rank = (int32_t)c->rank;
    known.named = named;
    known.n_named = (uint32_t)c->n_requests;
    k->calls[k->n++] = call;
    k->numbers[call] = poe_ancestors_add(k->ancestors, &known);
    free(named);
}

static void know_match(const struct known *k, const struct sched_past_match *m)
{
    const int32_t *changed;
    if (m->send >= 0 && m->receive >= 0 && k->numbers[m->send] >= 0 && k->numbers[m->receive] >= 0)
        poe_ancestors_match(k->ancestors, k->numbers[m->send], k->numbers[m->receive], &changed);
}

static void know_run(struct known *k, const struct sched_past *past)
{
    int32_t m = 0;
    for (int32_t i = 0; i < past->n_calls; i++) {
        for (; m < past->n_matches && past->matches[m].after < i; m++)
            know_match(k, &past->matches[m]);
        know_call(k, past, i);
    }
    for (; m < past->n_matches; m++)
        know_match(k, &past->matches[m]);
}

/* Ancestors become successors: counted, then put in their places, in the order of the later calls. */
static void link_calls(struct sched_sequence *s, const struct sched_past *past)
{
    size_t n = (size_t)past->n_calls;
    struct known k = {poe_ancestors_create(), sched_alloc(n, sizeof *k.calls),
                      sched_alloc(n, sizeof *k.numbers), 0};
    memset(k.numbers, 0xff, n * sizeof *k.numbers);
    know_run(&k, past);
    const int32_t *list;
    for (int32_t i = 0; i < k.n; i++)
        for (unsigned left = poe_ancestors_of(k.ancestors, i, &list); left > 0; left--)
            s->first[k.calls[list[left - 1]] + 1]++;
    for (size_t i = 0; i < n; i++)
        s->first[i + 1] += s->first[i];
    s->next = sched_alloc((size_t)s->first[n], sizeof *s->next);
    int32_t *end = sched_alloc(n, sizeof *end);
    for (int32_t i = 0; i < k.n; i++)
        for (unsigned left = poe_ancestors_of(k.ancestors, i, &list); left > 0; left--) {
            int32_t earlier = k.calls[list[left - 1]];
            s->next[s->first[earlier] + end[earlier]++] = k.calls[i];
        }
    free(end);
    free(k.calls);
    free(k.numbers);
    poe_ancestors_destroy(k.ancestors);
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
    *s = (struct sched_sequence){.order = sched_alloc(n, sizeof *s->order),
                                 .index = sched_alloc(n, sizeof *s->index),
                                 .first = sched_alloc(n + 1, sizeof *s->first)};
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
