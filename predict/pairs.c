/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which messages could go to which receives and probes: those with one communicator and fitting source and
 * tag (MPI-4.0, 3.2.4), less those that nonovertaking (3.5) rules out by numbers alone. Of the messages with
 * one envelope, all to one rank, number i (from 0) can go to a receive only if
 *
 *   i >= the receives before it with just this envelope: each of them has got one of these messages, and an
 *        earlier one
 *   i <= the receives before it that accept this envelope: each message before i has gone to one of them
 */
#include "pairs.h"

#include <stdlib.h>

/* The messages with one envelope, and the receives that accept them. */
struct class
{
    int32_t source, tag;
    struct predict_list sends;
    int32_t exact, accepted; /* receives so far */
    int32_t last[4];         /* receive so far, by envelope: of any source (1), of any tag (2) */
};

/* All messages to one rank by one communicator. */
struct queue {
    int32_t rank, comm;
    uint32_t kind;
    struct class *classes;
    int32_t n, room;
};

struct finder {
    struct predict *p;
    struct queue *queues;
    int32_t n, room;
};

static struct queue *queue_of(struct finder *f, int32_t rank, const struct predict_event *e)
{
    uint32_t kind = e->call.flags & ISP_F_SIGNAL;
    for (int32_t i = f->n - 1; i >= 0; i--)
        if (f->queues[i].rank == rank && f->queues[i].comm == e->call.comm && f->queues[i].kind == kind)
            return &f->queues[i];
    f->queues = predict_grow(f->queues, &f->room, f->n + 1, sizeof *f->queues);
    f->queues[f->n] = (struct queue){.rank = rank, .comm = e->call.comm, .kind = kind};
    return &f->queues[f->n++];
}

static void add_send(struct finder *f, int32_t number)
{
    struct predict_event *e = predict_event(f->p, number);
    struct queue *q = queue_of(f, e->call.peer, e);
    int32_t k = q->n - 1;
    while (k >= 0 && (q->classes[k].source != e->call.rank || q->classes[k].tag != e->call.tag))
        k--;
    if (k < 0) {
        k = q->n++;
        q->classes = predict_grow(q->classes, &q->room, q->n, sizeof *q->classes);
        q->classes[k] =
            (struct class){.source = e->call.rank,
                           .tag = e->call.tag,
                           .last = {PREDICT_NOBODY, PREDICT_NOBODY, PREDICT_NOBODY, PREDICT_NOBODY}};
    }
    e->class = k;
    e->place = q->classes[k].sends.n;
    predict_list_add(&q->classes[k].sends, number);
}

static bool accepts(const struct predict_event *receive, const struct class *c)
{
    return (receive->call.peer == ISP_ANY_SOURCE || receive->call.peer == c->source) &&
           (receive->call.tag == ISP_ANY_TAG || receive->call.tag == c->tag);
}

/* The last message of the class that its rank sends before the one; or NOBODY. */
static int32_t last_before(const struct predict *p, const struct class *c, const struct predict_event *send)
{
    int32_t low = 0, high = c->sends.n; /* the first that is not before it is in low .. high */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (predict_event(p, c->sends.all[middle])->index < send->index)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? c->sends.all[low - 1] : PREDICT_NOBODY;
}

static void add_befores(struct predict *p, const struct queue *q, struct predict_pair *pair)
{
    const struct predict_event *send = predict_event(p, pair->send);
    const struct predict_event *receive = predict_event(p, pair->receive);
    pair->first_before = p->befores.n;
    for (int32_t k = 0; k < q->n; k++) {
        const struct class *c = &q->classes[k];
        int32_t before =
            c->source == send->call.rank && accepts(receive, c) ? last_before(p, c, send) : PREDICT_NOBODY;
        if (before != PREDICT_NOBODY)
            predict_list_add(&p->befores, before);
    }
    pair->n_before = p->befores.n - pair->first_before;
}

static void add_pair(struct predict *p, const struct queue *q, const struct class *c, int32_t send,
                     int32_t receive)
{
    if (p->n_pairs == PREDICT_PAIRS_MOST) {
        predict_refuse(p, "too many messages could go to too many receives");
        return;
    }
    p->pairs = predict_grow(p->pairs, &p->pairs_room, p->n_pairs + 1, sizeof *p->pairs);
    struct predict_pair *pair = &p->pairs[p->n_pairs];
    *pair = (struct predict_pair){.send = send,
                                  .receive = receive,
                                  .of_send = predict_event(p, send)->first_pair,
                                  .of_receive = predict_event(p, receive)->first_pair};
    for (int i = 0; i < 4; i++)
        pair->shields[i] = c->last[i];
    add_befores(p, q, pair);
    predict_event(p, send)->first_pair = predict_event(p, receive)->first_pair = p->n_pairs++;
}

static void add_receive(struct finder *f, int32_t number)
{
    struct predict *p = f->p;
    const struct predict_event *r = predict_event(p, number);
    struct queue *q = queue_of(f, r->call.rank, r);
    for (int32_t k = 0; k < q->n; k++) {
        struct class *c = &q->classes[k];
        if (!accepts(r, c))
            continue;
        for (int32_t i = c->exact; i <= c->accepted && i < c->sends.n; i++)
            add_pair(p, q, c, c->sends.all[i], number);
        if (!predict_takes(r))
            continue;
        bool any_source = r->call.peer == ISP_ANY_SOURCE, any_tag = r->call.tag == ISP_ANY_TAG;
        c->accepted++;
        c->exact += !any_source && !any_tag;
        if (r->call.op == ISP_OP_RECV)
            c->last[any_source + 2 * any_tag] = number;
    }
}

void predict_pairs_find(struct predict *p)
{
    struct finder f = {.p = p};
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0; i < p->ranks[rank].n; i++)
            if (predict_is_send(predict_event(p, p->ranks[rank].all[i])))
                add_send(&f, p->ranks[rank].all[i]);
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0; i < p->ranks[rank].n && !p->why; i++)
            if (predict_gets(predict_event(p, p->ranks[rank].all[i])))
                add_receive(&f, p->ranks[rank].all[i]);
    for (int32_t i = 0; i < f.n; i++) {
        for (int32_t k = 0; k < f.queues[i].n; k++)
            predict_list_finish(&f.queues[i].classes[k].sends);
        free(f.queues[i].classes);
    }
    free(f.queues);
}
