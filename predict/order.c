/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a solution is one that can come about. The order of its nodes is a graph; if that has a circle, the
 * pairs and fences that make it cannot all be there, which is a clause. An edge has up to two literals:
 * wherever they are true, the edge is there.
 *
 * Most programs have few such circles (must.c has ruled out what is behind them), so it is cheaper to forbid
 * those that come up than to tell the solver all of the order.
 */
#include "order.h"

#include <stdlib.h>

#include "solver.h"

enum { CIRCLES_MOST = 64 }; /* at a time */

struct edge {
    int32_t from, to, next; /* the next one from there */
    int why[2];             /* or PREDICT_TRUE */
};

struct graph {
    struct predict *p;
    struct edge *edges;
    int32_t n, room;
    int32_t *first;   /* edge of each node */
    int32_t *entries; /* edges that come in, of nodes that are left */
    int32_t *came_by; /* the edge by which a walk has come to a node */
    bool *gone;       /* no circle leads through it */
    struct predict_list todo;
};

static void add_edge(struct graph *g, int32_t from, int32_t to, int why, int also)
{
    g->edges = predict_grow(g->edges, &g->room, g->n + 1, sizeof *g->edges);
    g->edges[g->n] = (struct edge){from, to, g->first[from], {why, also}};
    g->first[from] = g->n++;
    g->entries[to]++;
}

/* The event is issued before the node. */
static void add_issue(struct graph *g, int32_t number, int32_t to, int why, int also)
{
    int32_t fence = number == PREDICT_NOBODY ? PREDICT_NOBODY : predict_event(g->p, number)->fence;
    if (fence != PREDICT_NOBODY)
        add_edge(g, predict_event(g->p, fence)->node, to, why, also);
}

static bool holds(const struct graph *g, int literal)
{
    return literal == PREDICT_TRUE ||
           (literal != PREDICT_FALSE && predict_solver_value(g->p->solver, literal));
}

/* The pair that holds of a receive or probe, or in which a send's message is taken; NULL: none. */
static const struct predict_pair *pair_of(const struct graph *g, int32_t number)
{
    const struct predict *p = g->p;
    return p->matched[number] == PREDICT_NOBODY ? NULL : &p->pairs[p->matched[number]];
}

static void find_pairs(const struct graph *g)
{
    struct predict *p = g->p;
    for (int32_t i = 0; i < p->n_events; i++)
        p->matched[i] = PREDICT_NOBODY;
    for (int32_t k = 0; k < p->n_pairs; k++) {
        if (!holds(g, p->pairs[k].literal))
            continue;
        p->matched[p->pairs[k].receive] = k;
        if (predict_takes(predict_event(p, p->pairs[k].receive)))
            p->matched[p->pairs[k].send] = k;
    }
}

/* ---- edges ---- */

static void add_receive(struct graph *g, int32_t number)
{
    const struct predict *p = g->p;
    const struct predict_event *r = predict_event(p, number);
    const struct predict_pair *pair = pair_of(g, number);
    if (!pair)
        return;
    add_issue(g, number, r->got, r->taken, PREDICT_TRUE);
    add_issue(g, pair->send, r->got, pair->literal, PREDICT_TRUE);
    for (int i = 0; i < 4; i++)
        if (pair->shields[i] != PREDICT_NOBODY)
            add_edge(g, predict_event(p, pair->shields[i])->got, r->got, pair->literal, PREDICT_TRUE);
    for (int32_t i = 0; i < pair->n_before; i++) {
        const struct predict_pair *before = pair_of(g, p->befores.all[pair->first_before + i]);
        if (before)
            add_edge(g, predict_event(p, before->receive)->got, r->got, pair->literal, before->literal);
    }
    const struct predict_pair *taker = predict_takes(r) ? NULL : pair_of(g, pair->send);
    if (taker) /* a probe finds what is still there */
        add_edge(g, r->got, predict_event(p, taker->receive)->got, pair->literal, taker->literal);
}

static void add_sent(struct graph *g, int32_t number, int32_t node, int why)
{
    const struct predict_pair *pair = pair_of(g, number);
    const struct predict_event *r = pair ? predict_event(g->p, pair->receive) : NULL;
    if (r && r->call.op == ISP_OP_RECV)
        add_edge(g, r->got, node, pair->literal, why);
    else if (r)
        add_issue(g, r->mrecv, node, pair->literal, why);
}

/* The operation is complete before the node. */
static void add_complete(struct graph *g, int32_t number, int32_t node, int why)
{
    if (number == PREDICT_NOBODY)
        return;
    const struct predict_event *e = predict_event(g->p, number);
    struct predict_list needed = {0};
    if (e->got != PREDICT_NOBODY)
        add_edge(g, e->got, node, why, PREDICT_TRUE);
    else if (predict_is_send(e) && !predict_is_kept(g->p, e))
        add_sent(g, number, node, why);
    else if (e->call.op == ISP_OP_COLLECTIVE)
        predict_needed(g->p, e, &needed);
    for (int32_t i = 0; i < needed.n; i++)
        add_issue(g, needed.all[i], node, why, PREDICT_TRUE);
    for (uint32_t i = 0; e->call.op == ISP_OP_JOIN && i < e->call.n_named; i++)
        add_complete(g, predict_named(g->p, e, i), node, why);
    predict_list_finish(&needed);
}

static void add_buffer(struct graph *g, const struct predict_event *e)
{
    const struct predict_list *calls = &g->p->ranks[e->call.rank];
    for (int32_t i = e->index - 1; i >= 0 && !g->p->buffered; i--) {
        const struct predict_event *s = predict_event(g->p, calls->all[i]);
        if (s->call.op == ISP_OP_DETACH)
            break;
        if (predict_is_send(s) && s->call.mode == ISP_SEND_BUFFERED)
            add_sent(g, calls->all[i], e->node, e->passed);
    }
}

static void add_fence(struct graph *g, int32_t number)
{
    const struct predict_event *e = predict_event(g->p, number);
    if (!holds(g, e->passed))
        return;
    add_issue(g, number, e->node, e->passed, PREDICT_TRUE);
    if (e->call.op == ISP_OP_DETACH)
        add_buffer(g, e);
    else if (e->call.op != ISP_OP_COMPLETE)
        add_complete(g, number, e->node, e->passed);
    for (uint32_t i = 0; e->call.op == ISP_OP_COMPLETE && i < e->call.n_named; i++) {
        if (e->call.mode == ISP_COMPLETE_ALL)
            add_complete(g, predict_named(g->p, e, i), e->node, e->passed);
        else if (holds(g, g->p->uses[e->first_use + (int32_t)i].used))
            add_complete(g, predict_named(g->p, e, i), e->node, g->p->uses[e->first_use + (int32_t)i].used);
    }
}

/* ---- circles ---- */

/* Nodes with nothing before them are on no circle, nor are those that have only such before them. */
static void peel(struct graph *g)
{
    for (int32_t i = 0; i < g->p->n_nodes; i++)
        if (g->entries[i] == 0)
            predict_list_add(&g->todo, i);
    while (g->todo.n) {
        int32_t node = g->todo.all[--g->todo.n];
        g->gone[node] = true;
        for (int32_t k = g->first[node]; k != PREDICT_NOBODY; k = g->edges[k].next)
            if (--g->entries[g->edges[k].to] == 0)
                predict_list_add(&g->todo, g->edges[k].to);
    }
}

/* A shortest walk from the node back to it: the edge that closes it, or NOBODY. */
static int32_t walk(struct graph *g, int32_t start)
{
    for (int32_t i = 0; i < g->p->n_nodes; i++)
        g->came_by[i] = PREDICT_NOBODY;
    g->todo.n = 0;
    predict_list_add(&g->todo, start);
    for (int32_t at = 0; at < g->todo.n; at++)
        for (int32_t k = g->first[g->todo.all[at]]; k != PREDICT_NOBODY; k = g->edges[k].next) {
            int32_t to = g->edges[k].to;
            if (to == start)
                return k;
            if (g->gone[to] || g->came_by[to] != PREDICT_NOBODY)
                continue;
            g->came_by[to] = k;
            predict_list_add(&g->todo, to);
        }
    return PREDICT_NOBODY;
}

/* The clause that forbids the circle; its nodes are no beginnings of others. */
static void forbid(struct graph *g, int32_t start, int32_t edge, bool *seen)
{
    struct predict_list clause = {0};
    for (;;) {
        for (int i = 0; i < 2; i++)
            predict_list_add(&clause, -g->edges[edge].why[i]);
        seen[g->edges[edge].from] = true;
        if (g->edges[edge].from == start)
            break;
        edge = g->came_by[g->edges[edge].from];
    }
    predict_solver_clause(g->p->solver, clause.all, clause.n);
    predict_list_finish(&clause);
}

static int32_t forbid_circles(struct graph *g)
{
    bool *seen = predict_new((size_t)g->p->n_nodes, sizeof *seen);
    int32_t n = 0;
    for (int32_t i = 0; i < g->p->n_nodes && n < CIRCLES_MOST; i++) {
        int32_t edge = g->gone[i] || seen[i] ? PREDICT_NOBODY : walk(g, i);
        if (edge == PREDICT_NOBODY)
            continue;
        forbid(g, i, edge, seen);
        n++;
    }
    free(seen);
    return n;
}

int32_t predict_order_forbid(struct predict *p)
{
    size_t n = (size_t)p->n_nodes;
    struct graph g = {.p = p,
                      .first = predict_new(n, sizeof *g.first),
                      .entries = predict_new(n, sizeof *g.entries),
                      .came_by = predict_new(n, sizeof *g.came_by),
                      .gone = predict_new(n, sizeof *g.gone)};
    for (size_t i = 0; i < n; i++)
        g.first[i] = PREDICT_NOBODY;
    find_pairs(&g);
    for (int32_t i = 0; i < p->n_events; i++) {
        if (predict_event(p, i)->got != PREDICT_NOBODY)
            add_receive(&g, i);
        if (predict_event(p, i)->node != PREDICT_NOBODY)
            add_fence(&g, i);
    }
    peel(&g);
    int32_t circles = forbid_circles(&g);
    free(g.edges);
    free(g.first);
    free(g.entries);
    free(g.came_by);
    free(g.gone);
    predict_list_finish(&g.todo);
    return circles;
}
