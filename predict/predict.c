/* SPDX-License-Identifier: BSD-3-Clause */
/* See predict.h: the solver is asked for a state in which nothing can move, until it gives one that can come
 * about. */
#include "predict.h"

#include <stdlib.h>

#include "count.h"
#include "encode.h"
#include "must.h"
#include "order.h"
#include "pairs.h"
#include "run.h"

enum { CONFLICTS_MOST = 30000, ROUNDS_MOST = 1000 };
static const int64_t WORK_MOST = 50000000; /* conflicts times pairs */
enum { EASY_CONFLICTS = 1000, EASY_ROUNDS = 10, TRIES_MOST = 60 }; /* for a nicer solution */
enum { CIRCLES_MOST = 300 }; /* before the solver is told all of the order */

void predict_destroy(struct predict *p)
{
    if (!p)
        return;
    for (int32_t i = 0; i < p->n_ranks; i++)
        predict_list_finish(&p->ranks[i]);
    for (int32_t i = 0; i < p->n_comms; i++)
        predict_list_finish(&p->comms[i].members);
    for (int32_t i = 0; i < p->n_collections; i++)
        predict_list_finish(&p->collections[i].members);
    predict_list_finish(&p->named);
    predict_list_finish(&p->sources);
    predict_list_finish(&p->preferred);
    predict_list_finish(&p->held);
    predict_list_finish(&p->befores);
    predict_order_finish(p);
    predict_solver_destroy(p->solver);
    free(p->ranks);
    free(p->events);
    free(p->comms);
    free(p->collections);
    free(p->pairs);
    free(p->uses);
    free(p->matched);
    free(p->taken);
    free(p->waits);
    free(p->completes);
    free(p);
}

/* ---- all is told ---- */

static bool may_take_several(const struct predict *p, const struct predict_event *e)
{
    int32_t n = 0;
    for (int32_t k = e->first_pair; k != PREDICT_NOBODY; k = p->pairs[k].of_receive)
        n += p->pairs[k].literal != PREDICT_FALSE;
    return n > 1;
}

static int32_t count_choices(const struct predict *p)
{
    int32_t n = 0;
    for (int32_t i = 0; i < p->n_events; i++) {
        const struct predict_event *e = predict_event(p, i);
        n += predict_gets(e) && may_take_several(p, e);
        n += e->call.op == ISP_OP_COMPLETE && e->call.mode != ISP_COMPLETE_ALL && e->call.n_named > 1;
    }
    return n;
}

static void finish(struct predict *p)
{
    p->finished = true;
    if (p->why)
        return;
    predict_run_finish(p);
    if (!p->why)
        predict_pairs_find(p);
    if (p->why)
        return;
    predict_must_prune(p);
    p->choices = count_choices(p);
    p->cost.nodes = p->n_nodes;
    for (int32_t i = 0; i < p->n_pairs; i++)
        p->cost.pairs += p->pairs[i].literal != PREDICT_FALSE;
    p->solver = predict_solver_create();
    predict_encode(p);
    predict_count_encode(p);
    predict_order_init(p);
    p->matched = predict_new((size_t)p->n_events, sizeof *p->matched);
    p->taken = predict_new((size_t)p->n_events, sizeof *p->taken);
    p->waits = predict_new((size_t)p->n_ranks, sizeof *p->waits);
    p->completes = predict_new((size_t)p->n_uses, sizeof *p->completes);
}

/* ---- the answer ---- */

/* The fence that the rank is in. */
static int32_t stuck_in(const struct predict *p, int32_t rank)
{
    for (int32_t i = 0; i < p->ranks[rank].n; i++) {
        const struct predict_event *e = predict_event(p, p->ranks[rank].all[i]);
        if (predict_is_fence(e) && !predict_solver_value(p->solver, e->passed))
            return p->ranks[rank].all[i];
    }
    return PREDICT_NOBODY;
}

/* Keeps the solution. */
static void take(struct predict *p)
{
    for (int32_t i = 0; i < p->n_events; i++)
        p->taken[i] = p->matched[i] == PREDICT_NOBODY ? PREDICT_NOBODY : p->pairs[p->matched[i]].send;
    for (int32_t i = 0; i < p->n_uses; i++)
        p->completes[i] =
            p->uses[i].used != PREDICT_FALSE && predict_solver_value(p->solver, p->uses[i].used);
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        p->waits[rank] = stuck_in(p, rank);
}

/* From now on not all of these ranks wait in these calls. */
static void exclude(struct predict *p)
{
    struct predict_list clause = {0};
    for (int32_t rank = 0; rank < p->n_ranks; rank++) {
        if (p->waits[rank] == PREDICT_NOBODY)
            continue;
        const struct predict_event *e = predict_event(p, p->waits[rank]);
        predict_list_add(&clause, -predict_issued(p, e));
        predict_list_add(&clause, e->passed);
    }
    predict_solver_clause(p->solver, clause.all, clause.n);
    predict_list_finish(&clause);
}

/* A solution with all that is held, and that can come about. */
static enum predict_solved solve(struct predict *p, int conflicts, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        enum predict_solved solved = predict_solver_solve(p->solver, p->held.all, p->held.n, conflicts);
        p->cost.rounds++;
        int32_t circles = solved == PREDICT_SATISFIED ? predict_order_forbid(p) : 0;
        p->cost.circles += circles;
        if (!circles)
            return solved;
        if (!p->told && p->cost.circles > CIRCLES_MOST) {
            p->told = true;
            predict_order_tell(p);
        }
    }
    return PREDICT_GIVEN_UP;
}

static int pair_literal(const struct predict *p, int32_t receive, int32_t send)
{
    for (int32_t k = predict_event(p, receive)->first_pair; k != PREDICT_NOBODY; k = p->pairs[k].of_receive)
        if (p->pairs[k].send == send)
            return p->pairs[k].literal;
    return PREDICT_FALSE;
}

/* Holds as many as may be of the preferred pairs number `first` to `end` - 1, the first ones first: all of
 * them, or those of one half and then of the other. */
static void prefer(struct predict *p, int32_t first, int32_t end)
{
    int32_t held = p->held.n;
    for (int32_t i = first; i < end; i++) {
        int literal = pair_literal(p, p->preferred.all[2 * i], p->preferred.all[2 * i + 1]);
        if (literal != PREDICT_FALSE)
            predict_list_add(&p->held, literal);
    }
    if (p->held.n == held || p->tries++ >= TRIES_MOST)
        return;
    if (solve(p, EASY_CONFLICTS, EASY_ROUNDS) == PREDICT_SATISFIED) {
        take(p);
        return;
    }
    p->held.n = held;
    if (end - first == 1 || p->tries >= TRIES_MOST)
        return;
    prefer(p, first, first + (end - first) / 2);
    prefer(p, first + (end - first) / 2, end);
}

/* One costs about as much as there are pairs: of hundreds of ranks that are too many for minutes. */
static int conflicts_most(const struct predict *p)
{
    int64_t most = WORK_MOST / (p->n_pairs + 1);
    return most > CONFLICTS_MOST ? CONFLICTS_MOST : most < EASY_CONFLICTS ? EASY_CONFLICTS : (int)most;
}

enum predict_answer predict_next(struct predict *p)
{
    if (!p->finished)
        finish(p);
    p->held.n = 0;
    enum predict_solved solved = p->why ? PREDICT_GIVEN_UP : solve(p, conflicts_most(p), ROUNDS_MOST);
    if (solved == PREDICT_CONTRADICTION)
        return PREDICT_NONE;
    if (solved == PREDICT_GIVEN_UP) {
        predict_refuse(p, "it is too hard for the solver");
        return PREDICT_UNKNOWN;
    }
    take(p);
    p->tries = 0;
    if (p->preferred.n)
        prefer(p, 0, p->preferred.n / 2);
    exclude(p);
    return PREDICT_DEADLOCK;
}

int32_t predict_waits(const struct predict *p, int rank) { return p->waits[rank]; }

int32_t predict_taken(const struct predict *p, int32_t receive) { return p->taken[receive]; }

bool predict_completes(const struct predict *p, int32_t fence, uint32_t i)
{
    return p->completes[predict_event(p, fence)->first_use + (int32_t)i];
}
