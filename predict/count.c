/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many messages receives with one envelope get: as many as are taken by them. That follows from the other
 * clauses, but is the pigeonhole principle, which takes a solver exponential time to see: that ten workers do
 * not fill eleven receives. So it is told, by a tree of unary numbers for the messages (a totalizer: Bailleux
 * and Boufkhad 2003); the receives are such a number by themselves, since they get theirs in their order
 * (MPI-4.0, 3.5).
 */
#include "count.h"

#include <stdlib.h>

#include "solver.h"

enum { COUNTED_MOST = 400 }; /* messages: the clauses are as many as their square */

/* Receives with one envelope. */
struct group {
    const struct predict_event *like;
    struct predict_list receives;
};

struct counter {
    struct predict *p;
    struct group *groups;
    int32_t n, room;
    struct predict_list *by_send; /* by event: pairs with receives of the group */
};

static bool is_like(const struct predict_event *a, const struct predict_event *b)
{
    return a->call.rank == b->call.rank && a->call.comm == b->call.comm && a->call.peer == b->call.peer &&
           a->call.tag == b->call.tag && predict_is(a, ISP_F_SIGNAL) == predict_is(b, ISP_F_SIGNAL);
}

static void group_receive(struct counter *c, int32_t number)
{
    const struct predict_event *e = predict_event(c->p, number);
    int32_t k = c->n - 1;
    while (k >= 0 && !is_like(c->groups[k].like, e))
        k--;
    if (k < 0) {
        k = c->n++;
        c->groups = predict_grow(c->groups, &c->room, c->n, sizeof *c->groups);
        c->groups[k] = (struct group){.like = e};
    }
    predict_list_add(&c->groups[k].receives, number);
}

/* Two unary numbers added: the k-th literal of the sum (from 0) says that it is more than k. */
static struct predict_list add(struct predict_solver *solver, const struct predict_list *a,
                               const struct predict_list *b)
{
    struct predict_list sum = {0};
    for (int32_t k = 0; k < a->n + b->n; k++)
        predict_list_add(&sum, predict_solver_variable(solver));
    for (int32_t i = 0; i <= a->n; i++)
        for (int32_t k = 0; k <= b->n; k++) {
            int more_a = i ? a->all[i - 1] : PREDICT_TRUE, more_b = k ? b->all[k - 1] : PREDICT_TRUE;
            int less_a = i < a->n ? -a->all[i] : PREDICT_TRUE, less_b = k < b->n ? -b->all[k] : PREDICT_TRUE;
            if (i + k > 0)
                predict_solver_clause(solver, (int[]){-more_a, -more_b, sum.all[i + k - 1]}, 3);
            if (i + k < sum.n)
                predict_solver_clause(solver, (int[]){-less_a, -less_b, -sum.all[i + k]}, 3);
        }
    return sum;
}

/* How many of these are true. */
static struct predict_list count(struct predict_solver *solver, const int32_t *literals, int32_t n)
{
    struct predict_list sum = {0};
    if (n == 1)
        predict_list_add(&sum, literals[0]);
    if (n <= 1)
        return sum;
    struct predict_list a = count(solver, literals, n / 2);
    struct predict_list b = count(solver, literals + n / 2, n - n / 2);
    sum = add(solver, &a, &b);
    predict_list_finish(&a);
    predict_list_finish(&b);
    return sum;
}

/* Literals of the messages: one of the receives takes it. */
static struct predict_list taken_by(struct counter *c, const struct group *g)
{
    struct predict_list sends = {0}, taken = {0};
    for (int32_t i = 0; i < g->receives.n; i++) {
        const struct predict_event *r = predict_event(c->p, g->receives.all[i]);
        for (int32_t k = r->first_pair; k != PREDICT_NOBODY; k = c->p->pairs[k].of_receive) {
            const struct predict_pair *pair = &c->p->pairs[k];
            if (pair->literal == PREDICT_FALSE)
                continue;
            if (!c->by_send[pair->send].n)
                predict_list_add(&sends, pair->send);
            predict_list_add(&c->by_send[pair->send], pair->literal);
        }
    }
    for (int32_t i = 0; i < sends.n; i++) {
        struct predict_list *pairs = &c->by_send[sends.all[i]];
        predict_list_add(&taken, predict_solver_any(c->p->solver, pairs->all, pairs->n));
        pairs->n = 0;
    }
    predict_list_finish(&sends);
    return taken;
}

static void encode_group(struct counter *c, const struct group *g)
{
    struct predict_list taken = taken_by(c, g);
    if (g->receives.n > 1 && taken.n > 1 && taken.n <= COUNTED_MOST) {
        struct predict_list sum = count(c->p->solver, taken.all, taken.n);
        for (int32_t k = 0; k < g->receives.n || k < sum.n; k++) {
            int got = k < g->receives.n ? predict_event(c->p, g->receives.all[k])->taken : PREDICT_FALSE;
            int more = k < sum.n ? sum.all[k] : PREDICT_FALSE;
            predict_solver_implies(c->p->solver, got, more);
            predict_solver_implies(c->p->solver, more, got);
        }
        predict_list_finish(&sum);
    }
    predict_list_finish(&taken);
}

void predict_count_encode(struct predict *p)
{
    struct counter c = {.p = p, .by_send = predict_new((size_t)p->n_events, sizeof *c.by_send)};
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0; i < p->ranks[rank].n; i++) {
            const struct predict_event *e = predict_event(p, p->ranks[rank].all[i]);
            if (predict_takes(e) && predict_gets(e))
                group_receive(&c, p->ranks[rank].all[i]);
        }
    for (int32_t i = 0; i < c.n; i++) {
        encode_group(&c, &c.groups[i]);
        predict_list_finish(&c.groups[i].receives);
    }
    for (int32_t i = 0; i < p->n_events; i++)
        predict_list_finish(&c.by_send[i]);
    free(c.by_send);
    free(c.groups);
}
