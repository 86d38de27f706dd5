/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a solution is one that can come about. Its order is a graph: an edge says that one node is before
 * another one wherever two literals are true. If those that hold in a solution make a circle, their literals
 * cannot all be true, which is a clause.
 *
 * Most programs have few such circles (must.c has ruled out what is behind them), so it is cheaper to forbid
 * those that come up than to tell the solver all of the order. That would be a clock for each node, a number of
 * some bits, and for each edge a comparison: it is done when circles go on to come up.
 */
#include "order.h"

#include <stdlib.h>

#include "encode.h"
#include "solver.h"

enum { CIRCLES_MOST = 64 }; /* at a time */

struct predict_edge {
    int32_t from, to;
    int why[2];
    int32_t next; /* of those that hold: the next one from there */
};

struct predict_order {
    struct predict_edge *edges;
    int32_t n, room;
    int32_t n_nodes;
    int32_t *sent;    /* by event that is a send: the node of its message being taken */
    int32_t *first;   /* edge of each node */
    int32_t *entries; /* edges that come in, of nodes that are left */
    int32_t *came_by; /* the edge by which a walk has come to a node */
    bool *gone;       /* no circle leads through it */
    struct predict_list todo;
};

/* ---- edges ---- */

static void add_edge(struct predict_order *o, int32_t from, int32_t to, int why, int also)
{
    if (why == PREDICT_FALSE || also == PREDICT_FALSE)
        return;
    o->edges = predict_grow(o->edges, &o->room, o->n + 1, sizeof *o->edges);
    o->edges[o->n++] = (struct predict_edge){from, to, {why, also}, PREDICT_NOBODY};
}

/* The event is issued before the node. */
static void add_issue(const struct predict *p, int32_t number, int32_t to, int why, int also)
{
    int32_t fence = number == PREDICT_NOBODY ? PREDICT_NOBODY : predict_event(p, number)->fence;
    if (fence != PREDICT_NOBODY)
        add_edge(p->order, predict_event(p, fence)->node, to, why, also);
}

/* A probe finds what is still there. */
static void add_probe(const struct predict *p, const struct predict_pair *pair)
{
    int32_t found = predict_event(p, pair->receive)->got;
    for (int32_t k = predict_event(p, pair->send)->first_pair; k != PREDICT_NOBODY; k = p->pairs[k].of_send) {
        const struct predict_event *taker = predict_event(p, p->pairs[k].receive);
        if (predict_takes(taker))
            add_edge(p->order, found, taker->got, pair->literal, p->pairs[k].literal);
    }
}

static void add_pair(const struct predict *p, const struct predict_pair *pair)
{
    const struct predict_event *r = predict_event(p, pair->receive);
    add_issue(p, pair->send, r->got, pair->literal, PREDICT_TRUE);
    for (int i = 0; i < 4; i++)
        if (pair->shields[i] != PREDICT_NOBODY)
            add_edge(p->order, predict_event(p, pair->shields[i])->got, r->got, pair->literal, PREDICT_TRUE);
    for (int32_t i = 0; i < pair->n_before; i++)
        add_edge(p->order, p->order->sent[p->befores.all[pair->first_before + i]], r->got, pair->literal,
                 PREDICT_TRUE);
    if (predict_takes(r))
        add_edge(p->order, r->got, p->order->sent[pair->send], pair->literal, PREDICT_TRUE);
    else
        add_probe(p, pair);
}

/* The message was received before the node; of one that a matched probe has taken, its Mrecv was called. */
static void add_received(const struct predict *p, int32_t number, int32_t node, int why)
{
    add_edge(p->order, p->order->sent[number], node, why, PREDICT_TRUE);
    for (int32_t k = predict_event(p, number)->first_pair; k != PREDICT_NOBODY; k = p->pairs[k].of_send)
        add_issue(p, predict_event(p, p->pairs[k].receive)->mrecv, node, why, p->pairs[k].literal);
}

/* The operation is complete before the node. */
static void add_complete(const struct predict *p, int32_t number, int32_t node, int why)
{
    if (number == PREDICT_NOBODY)
        return;
    const struct predict_event *e = predict_event(p, number);
    struct predict_list needed = {0};
    if (e->got != PREDICT_NOBODY)
        add_edge(p->order, e->got, node, why, PREDICT_TRUE);
    else if (predict_is_send(e) && !predict_is_kept(p, e))
        add_received(p, number, node, why);
    else if (e->call.op == ISP_OP_COLLECTIVE)
        predict_needed(p, e, &needed);
    for (int32_t i = 0; i < needed.n; i++)
        add_issue(p, needed.all[i], node, why, PREDICT_TRUE);
    for (uint32_t i = 0; e->call.op == ISP_OP_JOIN && i < e->call.n_named; i++)
        add_complete(p, predict_named(p, e, i), node, why);
    predict_list_finish(&needed);
}

static void add_buffer(const struct predict *p, const struct predict_event *e)
{
    const struct predict_list *calls = &p->ranks[e->call.rank];
    for (int32_t i = e->index - 1; i >= 0 && !p->buffered; i--) {
        const struct predict_event *s = predict_event(p, calls->all[i]);
        if (s->call.op == ISP_OP_DETACH)
            break;
        if (predict_is_send(s) && s->call.mode == ISP_SEND_BUFFERED)
            add_received(p, calls->all[i], e->node, e->passed);
    }
}

static void add_fence(const struct predict *p, int32_t number)
{
    const struct predict_event *e = predict_event(p, number);
    add_issue(p, number, e->node, e->passed, PREDICT_TRUE);
    if (e->call.op == ISP_OP_DETACH)
        add_buffer(p, e);
    else if (e->call.op != ISP_OP_COMPLETE)
        add_complete(p, number, e->node, e->passed);
    for (uint32_t i = 0; e->call.op == ISP_OP_COMPLETE && i < e->call.n_named; i++) {
        bool all = e->call.mode == ISP_COMPLETE_ALL;
        add_complete(p, predict_named(p, e, i), e->node,
                     all ? e->passed : p->uses[e->first_use + (int32_t)i].used);
    }
}

void predict_order_init(struct predict *p)
{
    struct predict_order *o = p->order = predict_new(1, sizeof *o);
    o->n_nodes = p->n_nodes;
    o->sent = predict_new((size_t)p->n_events, sizeof *o->sent);
    for (int32_t i = 0; i < p->n_events; i++)
        if (predict_is_send(predict_event(p, i)))
            o->sent[i] = o->n_nodes++;
    size_t n = (size_t)o->n_nodes;
    o->first = predict_new(n, sizeof *o->first);
    o->entries = predict_new(n, sizeof *o->entries);
    o->came_by = predict_new(n, sizeof *o->came_by);
    o->gone = predict_new(n, sizeof *o->gone);
    for (int32_t i = 0; i < p->n_events; i++) {
        const struct predict_event *e = predict_event(p, i);
        if (e->got != PREDICT_NOBODY)
            add_issue(p, i, e->got, e->taken, PREDICT_TRUE);
        if (e->node != PREDICT_NOBODY)
            add_fence(p, i);
    }
    for (int32_t i = 0; i < p->n_pairs; i++)
        if (p->pairs[i].literal != PREDICT_FALSE)
            add_pair(p, &p->pairs[i]);
}

void predict_order_finish(struct predict *p)
{
    struct predict_order *o = p->order;
    if (!o)
        return;
    free(o->edges);
    free(o->sent);
    free(o->first);
    free(o->entries);
    free(o->came_by);
    free(o->gone);
    predict_list_finish(&o->todo);
    free(o);
}

/* ---- what holds ---- */

static bool holds(const struct predict *p, int literal)
{
    return literal == PREDICT_TRUE || (literal != PREDICT_FALSE && predict_solver_value(p->solver, literal));
}

static void find_pairs(struct predict *p)
{
    for (int32_t i = 0; i < p->n_events; i++)
        p->matched[i] = PREDICT_NOBODY;
    for (int32_t k = 0; k < p->n_pairs; k++)
        if (holds(p, p->pairs[k].literal))
            p->matched[p->pairs[k].receive] = k;
}

/* The graph of those that hold, or of all. */
static void find_edges(const struct predict *p, bool all)
{
    struct predict_order *o = p->order;
    for (int32_t i = 0; i < o->n_nodes; i++) {
        o->first[i] = PREDICT_NOBODY;
        o->entries[i] = 0;
        o->gone[i] = false;
    }
    for (int32_t k = 0; k < o->n; k++) {
        struct predict_edge *e = &o->edges[k];
        if (!all && (!holds(p, e->why[0]) || !holds(p, e->why[1])))
            continue;
        e->next = o->first[e->from];
        o->first[e->from] = k;
        o->entries[e->to]++;
    }
}

/* ---- circles ---- */

/* Nodes with nothing before them are on no circle, nor are those that have only such before them. How many are
 * left. */
static int32_t peel(struct predict_order *o)
{
    int32_t left = o->n_nodes;
    o->todo.n = 0;
    for (int32_t i = 0; i < o->n_nodes; i++)
        if (o->entries[i] == 0)
            predict_list_add(&o->todo, i);
    for (; o->todo.n; left--) {
        int32_t node = o->todo.all[--o->todo.n];
        o->gone[node] = true;
        for (int32_t k = o->first[node]; k != PREDICT_NOBODY; k = o->edges[k].next)
            if (--o->entries[o->edges[k].to] == 0)
                predict_list_add(&o->todo, o->edges[k].to);
    }
    return left;
}

/* A shortest walk from the node back to it: the edge that closes it, or NOBODY. */
static int32_t walk(struct predict_order *o, int32_t start)
{
    for (int32_t i = 0; i < o->n_nodes; i++)
        o->came_by[i] = PREDICT_NOBODY;
    o->todo.n = 0;
    predict_list_add(&o->todo, start);
    for (int32_t at = 0; at < o->todo.n; at++)
        for (int32_t k = o->first[o->todo.all[at]]; k != PREDICT_NOBODY; k = o->edges[k].next) {
            int32_t to = o->edges[k].to;
            if (to == start)
                return k;
            if (o->gone[to] || o->came_by[to] != PREDICT_NOBODY)
                continue;
            o->came_by[to] = k;
            predict_list_add(&o->todo, to);
        }
    return PREDICT_NOBODY;
}

/* The clause that forbids the circle; its nodes are no beginnings of others. */
static void forbid(struct predict *p, int32_t start, int32_t edge, bool *seen)
{
    const struct predict_order *o = p->order;
    struct predict_list clause = {0};
    for (;;) {
        for (int i = 0; i < 2; i++)
            predict_list_add(&clause, -o->edges[edge].why[i]);
        seen[o->edges[edge].from] = true;
        if (o->edges[edge].from == start)
            break;
        edge = o->came_by[o->edges[edge].from];
    }
    predict_solver_clause(p->solver, clause.all, clause.n);
    predict_list_finish(&clause);
}

int32_t predict_order_forbid(struct predict *p)
{
    struct predict_order *o = p->order;
    find_pairs(p);
    find_edges(p, false);
    if (!peel(o))
        return 0;
    bool *seen = predict_new((size_t)o->n_nodes, sizeof *seen);
    int32_t n = 0;
    for (int32_t i = 0; i < o->n_nodes && n < CIRCLES_MOST; i++) {
        int32_t edge = o->gone[i] || seen[i] ? PREDICT_NOBODY : walk(o, i);
        if (edge == PREDICT_NOBODY)
            continue;
        forbid(p, i, edge, seen);
        n++;
    }
    free(seen);
    return n;
}

/* ---- clocks ---- */

/* If all of `why` is true, the clock at `a` is less than that at `b`: most significant bit first, `less` says
 * that it is as far as bits from here on. */
static void tell_less(struct predict_solver *solver, const int *a, const int *b, int bits, const int why[2])
{
    int less = predict_solver_variable(solver);
    predict_solver_clause(solver, (int[]){-why[0], -why[1], less}, 3);
    for (int k = 0; k < bits; k++) {
        int further = k + 1 < bits ? predict_solver_variable(solver) : PREDICT_FALSE;
        predict_solver_clause(solver, (int[]){-less, -a[k], b[k]}, 3);
        predict_solver_clause(solver, (int[]){-less, -a[k], further}, 3);
        predict_solver_clause(solver, (int[]){-less, b[k], further}, 3);
        less = further;
    }
}

/* Of nodes that may be on a circle. */
void predict_order_tell(struct predict *p)
{
    struct predict_order *o = p->order;
    int bits = 1;
    find_edges(p, true);
    int32_t left = peel(o);
    while (left >> bits)
        bits++;
    int *clocks = predict_new((size_t)o->n_nodes * (size_t)bits, sizeof *clocks);
    for (int32_t i = 0; i < o->n_nodes * bits; i++)
        clocks[i] = o->gone[i / bits] ? 0 : predict_solver_variable(p->solver);
    for (int32_t k = 0; k < o->n; k++) {
        const struct predict_edge *e = &o->edges[k];
        if (!o->gone[e->from] && !o->gone[e->to])
            tell_less(p->solver, clocks + e->from * bits, clocks + e->to * bits, bits, e->why);
    }
    free(clocks);
}
