/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What must be before what, whatever matches. For each node it is a set of nodes, which grows: it begins with
 * what is certain, and what is certain of all messages that a receive could get is certain of the receive.
 * A pair whose message can be sent only after the receive has got one is none. That is not all that can be
 * known, but it settles most of what programs do (requests and replies), and what is left is few.
 */
#include "must.h"

#include <stdlib.h>
#include <string.h>

#include "solver.h"

enum { NODES_MOST = 1 << 14, ROUNDS = 40 };
static const double WORK_MOST = 2e9; /* words that are looked at */

struct must {
    struct predict *p;
    size_t words;
    uint64_t *before; /* of each node, itself included */
    uint64_t *taken;  /* of each event that is a send: of its message being taken */
    uint64_t *all, *one;
    bool changed;
};

static uint64_t *set_of_node(const struct must *m, int32_t node)
{
    return m->before + m->words * (size_t)node;
}

static uint64_t *set_of_send(const struct must *m, int32_t send)
{
    return m->taken + m->words * (size_t)send;
}

static void unite(const struct must *m, uint64_t *into, const uint64_t *set)
{
    for (size_t i = 0; i < m->words; i++)
        into[i] |= set[i];
}

static void intersect(const struct must *m, uint64_t *into, const uint64_t *set)
{
    for (size_t i = 0; i < m->words; i++)
        into[i] &= set[i];
}

static bool has(const uint64_t *set, int32_t node) { return set[node / 64] >> (node % 64) & 1; }

/* Adds it to the set of a node or send. */
static void learn(struct must *m, uint64_t *set, const uint64_t *more)
{
    for (size_t i = 0; i < m->words; i++) {
        m->changed |= (more[i] & ~set[i]) != 0;
        set[i] |= more[i];
    }
}

static void learn_node(struct must *m, int32_t node, int32_t before)
{
    if (before != PREDICT_NOBODY)
        learn(m, set_of_node(m, node), set_of_node(m, before));
}

/* The event was issued. */
static int32_t issue_node(const struct must *m, int32_t number)
{
    int32_t fence = predict_event(m->p, number)->fence;
    return fence == PREDICT_NOBODY ? PREDICT_NOBODY : predict_event(m->p, fence)->node;
}

/* ---- messages ---- */

/* What is before the pair matches, into m->one. */
static void before_pair(struct must *m, const struct predict_pair *pair)
{
    memset(m->one, 0, m->words * sizeof *m->one);
    int32_t issue = issue_node(m, pair->send);
    if (issue != PREDICT_NOBODY)
        unite(m, m->one, set_of_node(m, issue));
    for (int i = 0; i < 4; i++)
        if (pair->shields[i] != PREDICT_NOBODY)
            unite(m, m->one, set_of_node(m, predict_event(m->p, pair->shields[i])->got));
    for (int32_t i = 0; i < pair->n_before; i++)
        unite(m, m->one, set_of_send(m, m->p->befores.all[pair->first_before + i]));
}

static void look_at_receive(struct must *m, int32_t number)
{
    const struct predict_event *e = predict_event(m->p, number);
    bool any = false;
    for (int32_t k = e->first_pair; k != PREDICT_NOBODY; k = m->p->pairs[k].of_receive) {
        struct predict_pair *pair = &m->p->pairs[k];
        if (pair->literal == PREDICT_FALSE)
            continue;
        before_pair(m, pair);
        if (has(m->one, e->got)) {
            pair->literal = PREDICT_FALSE;
            m->changed = true;
            continue;
        }
        if (any)
            intersect(m, m->all, m->one);
        else
            memcpy(m->all, m->one, m->words * sizeof *m->all);
        any = true;
    }
    learn_node(m, e->got, issue_node(m, number));
    if (any)
        learn(m, set_of_node(m, e->got), m->all);
}

static void look_at_send(struct must *m, int32_t number)
{
    const struct predict_event *e = predict_event(m->p, number);
    bool any = false;
    for (int32_t k = e->first_pair; k != PREDICT_NOBODY; k = m->p->pairs[k].of_send) {
        const struct predict_pair *pair = &m->p->pairs[k];
        const struct predict_event *r = predict_event(m->p, pair->receive);
        if (pair->literal == PREDICT_FALSE || !predict_takes(r))
            continue;
        if (any)
            intersect(m, m->all, set_of_node(m, r->got));
        else
            memcpy(m->all, set_of_node(m, r->got), m->words * sizeof *m->all);
        any = true;
    }
    if (any)
        learn(m, set_of_send(m, number), m->all);
}

/* ---- fences ---- */

static void learn_complete(struct must *m, int32_t node, int32_t number)
{
    if (number == PREDICT_NOBODY)
        return;
    const struct predict_event *e = predict_event(m->p, number);
    struct predict_list needed = {0};
    if (e->got != PREDICT_NOBODY)
        learn_node(m, node, e->got);
    else if (predict_is_send(e) && !predict_is_kept(m->p, e))
        learn(m, set_of_node(m, node), set_of_send(m, number));
    else if (e->call.op == ISP_OP_COLLECTIVE)
        predict_needed(m->p, e, &needed);
    for (int32_t i = 0; i < needed.n; i++)
        if (needed.all[i] != PREDICT_NOBODY)
            learn_node(m, node, issue_node(m, needed.all[i]));
    for (uint32_t i = 0; e->call.op == ISP_OP_JOIN && i < e->call.n_named; i++)
        learn_complete(m, node, predict_named(m->p, e, i));
    predict_list_finish(&needed);
}

static void look_at_fence(struct must *m, int32_t number)
{
    const struct predict_event *e = predict_event(m->p, number);
    learn_node(m, e->node, issue_node(m, number));
    if (e->call.op != ISP_OP_COMPLETE)
        learn_complete(m, e->node, number);
    else if (e->call.mode == ISP_COMPLETE_ALL)
        for (uint32_t i = 0; i < e->call.n_named; i++)
            learn_complete(m, e->node, predict_named(m->p, e, i));
}

static void look(struct must *m)
{
    const struct predict *p = m->p;
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0; i < p->ranks[rank].n; i++) {
            int32_t number = p->ranks[rank].all[i];
            const struct predict_event *e = predict_event(p, number);
            if (e->got != PREDICT_NOBODY)
                look_at_receive(m, number);
            if (predict_is_send(e))
                look_at_send(m, number);
            if (e->node != PREDICT_NOBODY)
                look_at_fence(m, number);
        }
}

void predict_must_prune(struct predict *p)
{
    struct must m = {.p = p, .words = ((size_t)p->n_nodes + 63) / 64, .changed = true};
    double work = (double)m.words * (4.0 * p->n_pairs + 4.0 * p->n_events);
    if (p->n_nodes > NODES_MOST)
        return;
    m.before = predict_new((size_t)p->n_nodes * m.words, sizeof *m.before);
    m.taken = predict_new((size_t)p->n_events * m.words, sizeof *m.taken);
    m.all = predict_new(m.words, sizeof *m.all);
    m.one = predict_new(m.words, sizeof *m.one);
    for (int32_t i = 0; i < p->n_nodes; i++)
        set_of_node(&m, i)[i / 64] |= UINT64_C(1) << (i % 64);
    for (int round = 0; m.changed && round < ROUNDS && work * round < WORK_MOST; round++) {
        m.changed = false;
        look(&m);
    }
    free(m.before);
    free(m.taken);
    free(m.all);
    free(m.one);
}
