/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The run as clauses, but for the order. A solution is a state in which nothing can move: which pairs have
 * matched and which fences are left. PREDICT.md has the formulas. Sections are of MPI-4.0.
 *
 *   3.5          a message goes to a receive when all earlier messages of its channel that the receive accepts
 *                are gone, and all earlier receives that accept the message have got theirs; and it does go
 *                when both are there
 *   3.7.3, 3.7.5 Wait is done when its request is complete; Waitall, when all are; Waitany and Waitsome, when
 *                one is. What is complete drops out of later lists
 *   3.6          MPI_Buffer_detach waits for the messages in the buffer
 *   3.8          Probe is a receive that leaves the message there. Mprobe takes it out; it is received by its
 *                Mrecv
 */
#include "encode.h"

#include <stdlib.h>

struct encoder {
    struct predict *p;
    struct predict_solver *solver;
    int32_t *consumed; /* by event: a literal, as far as its rank has been looked at */
};

int predict_issued(const struct predict *p, const struct predict_event *e)
{
    return e->fence == PREDICT_NOBODY ? PREDICT_TRUE : predict_event(p, e->fence)->passed;
}

static int issued(const struct encoder *x, int32_t number)
{
    return number == PREDICT_NOBODY ? PREDICT_FALSE : predict_issued(x->p, predict_event(x->p, number));
}

static int all(struct encoder *x, struct predict_list *literals)
{
    int literal = predict_solver_all(x->solver, literals->all, literals->n);
    predict_list_finish(literals);
    return literal;
}

static int any(struct encoder *x, struct predict_list *literals)
{
    int literal = predict_solver_any(x->solver, literals->all, literals->n);
    predict_list_finish(literals);
    return literal;
}

static int any_of(struct encoder *x, int a, int b)
{
    if (a == PREDICT_TRUE || b == PREDICT_TRUE)
        return PREDICT_TRUE;
    return a == PREDICT_FALSE ? b : predict_solver_any(x->solver, (int[]){a, b}, 2);
}

/* ---- messages ---- */

/* The solver first tries what makes its variables true. So those of pairs that the run did not have stand for
 * their opposites: it begins near the run. */
static void add_pair_variables(struct encoder *x)
{
    const struct predict *p = x->p;
    int32_t *preferred = predict_new((size_t)p->n_events, sizeof *preferred); /* a send + 1; 0: none */
    for (int32_t i = 0; i + 1 < p->preferred.n; i += 2)
        preferred[p->preferred.all[i]] = p->preferred.all[i + 1] + 1;
    for (int32_t i = 0; i < p->n_pairs; i++) {
        struct predict_pair *pair = &p->pairs[i];
        int32_t wanted = preferred[pair->receive];
        if (pair->literal == PREDICT_FALSE)
            continue;
        pair->literal = predict_solver_variable(x->solver);
        if (wanted && wanted != pair->send + 1)
            pair->literal = -pair->literal;
    }
    free(preferred);
}

static void add_variables(struct encoder *x)
{
    add_pair_variables(x);
    for (int32_t i = 0; i < x->p->n_events; i++) {
        struct predict_event *e = predict_event(x->p, i);
        if (predict_is_fence(e))
            e->passed = predict_solver_variable(x->solver);
        if (predict_gets(e) || predict_is_send(e))
            e->taken = predict_solver_variable(x->solver);
    }
}

static void define(struct encoder *x, int literal, struct predict_list *any_of_these)
{
    for (int32_t i = 0; i < any_of_these->n; i++)
        predict_solver_implies(x->solver, any_of_these->all[i], literal);
    predict_list_add(any_of_these, -literal);
    predict_solver_clause(x->solver, any_of_these->all, any_of_these->n);
    predict_list_finish(any_of_these);
}

static void encode_send(struct encoder *x, int32_t number)
{
    struct predict_event *e = predict_event(x->p, number);
    struct predict_list takers = {0}, receivers = {0};
    for (int32_t k = e->first_pair; k != PREDICT_NOBODY; k = x->p->pairs[k].of_send) {
        const struct predict_pair *pair = &x->p->pairs[k];
        const struct predict_event *r = predict_event(x->p, pair->receive);
        if (pair->literal == PREDICT_FALSE || !predict_takes(r))
            continue;
        predict_list_add(&takers, pair->literal);
        int also = r->call.op == ISP_OP_RECV ? PREDICT_TRUE : issued(x, r->mrecv);
        if (also == PREDICT_TRUE)
            predict_list_add(&receivers, pair->literal);
        else if (also != PREDICT_FALSE)
            predict_list_add(&receivers, predict_solver_all(x->solver, (int[]){pair->literal, also}, 2));
    }
    predict_solver_at_most_one(x->solver, takers.all, takers.n);
    e->received = any(x, &receivers);
    define(x, e->taken, &takers);
}

static void encode_receive(struct encoder *x, int32_t number)
{
    struct predict_event *e = predict_event(x->p, number);
    struct predict_list messages = {0};
    for (int32_t k = e->first_pair; k != PREDICT_NOBODY; k = x->p->pairs[k].of_receive)
        if (x->p->pairs[k].literal != PREDICT_FALSE)
            predict_list_add(&messages, x->p->pairs[k].literal);
    predict_solver_at_most_one(x->solver, messages.all, messages.n);
    define(x, e->taken, &messages);
}

static void encode_pair(struct encoder *x, const struct predict_pair *pair)
{
    int it = pair->literal;
    if (it == PREDICT_FALSE)
        return;
    const struct predict_event *send = predict_event(x->p, pair->send);
    const struct predict_event *receive = predict_event(x->p, pair->receive);
    int sent = issued(x, pair->send), posted = issued(x, pair->receive);
    predict_solver_implies(x->solver, it, sent);
    predict_solver_implies(x->solver, it, posted);
    for (int i = 0; i < 4; i++)
        if (pair->shields[i] != PREDICT_NOBODY)
            predict_solver_implies(x->solver, it, predict_event(x->p, pair->shields[i])->taken);
    for (int32_t i = 0; i < pair->n_before; i++)
        predict_solver_implies(x->solver, it,
                               predict_event(x->p, x->p->befores.all[pair->first_before + i])->taken);
    predict_solver_clause(x->solver, (int[]){-sent, -posted, send->taken, receive->taken}, 4);
}

/* ---- completion ---- */

/* The operation, which is issued, is complete. */
static int complete(struct encoder *x, int32_t number)
{
    if (number == PREDICT_NOBODY)
        return PREDICT_TRUE;
    const struct predict_event *e = predict_event(x->p, number);
    struct predict_list needed = {0};
    switch (e->call.op) {
    case ISP_OP_SEND: return predict_is_send(e) && !predict_is_kept(x->p, e) ? e->received : PREDICT_TRUE;
    case ISP_OP_RECV:
    case ISP_OP_PROBE: return predict_gets(e) ? e->taken : PREDICT_TRUE;
    case ISP_OP_COLLECTIVE:
        predict_needed(x->p, e, &needed);
        for (int32_t i = 0; i < needed.n; i++)
            needed.all[i] = issued(x, needed.all[i]);
        return all(x, &needed);
    case ISP_OP_JOIN:
        for (uint32_t i = 0; i < e->call.n_named; i++)
            predict_list_add(&needed, complete(x, predict_named(x->p, e, i)));
        return all(x, &needed);
    default: return PREDICT_TRUE;
    }
}

static int all_complete(struct encoder *x, const struct predict_event *e)
{
    struct predict_list each = {0};
    for (uint32_t i = 0; i < e->call.n_named; i++) {
        int32_t operation = predict_named(x->p, e, i);
        if (operation == PREDICT_NOBODY || x->consumed[operation] == PREDICT_TRUE)
            continue;
        predict_list_add(&each, any_of(x, x->consumed[operation], complete(x, operation)));
        x->consumed[operation] = PREDICT_TRUE; /* whatever comes after this fence */
    }
    return all(x, &each);
}

static struct predict_use *add_use(struct encoder *x, int32_t operation)
{
    struct predict *p = x->p;
    p->uses = predict_grow(p->uses, &p->uses_room, p->n_uses + 1, sizeof *p->uses);
    p->uses[p->n_uses] = (struct predict_use){operation, PREDICT_FALSE, PREDICT_FALSE};
    return &p->uses[p->n_uses++];
}

/* Waitany, Waitsome: a literal for each request that it may complete. */
static int some_complete(struct encoder *x, struct predict_event *e)
{
    struct predict_list ready = {0}, used = {0}, gone = {0};
    e->first_use = x->p->n_uses;
    for (uint32_t i = 0; i < e->call.n_named; i++) {
        int32_t operation = predict_named(x->p, e, i);
        struct predict_use *use = add_use(x, operation);
        if (operation == PREDICT_NOBODY || x->consumed[operation] == PREDICT_TRUE)
            continue;
        use->active = -x->consumed[operation];
        use->used = predict_solver_variable(x->solver);
        int may = predict_solver_all(x->solver, (int[]){use->active, complete(x, operation)}, 2);
        predict_solver_implies(x->solver, use->used, may);
        predict_solver_implies(x->solver, use->used, e->passed);
        predict_list_add(&ready, may);
        predict_list_add(&used, use->used);
        predict_list_add(&gone, x->consumed[operation]);
        x->consumed[operation] = any_of(x, x->consumed[operation], use->used);
    }
    int nothing = all(x, &gone);
    if (e->call.mode == ISP_COMPLETE_ANY)
        predict_solver_at_most_one(x->solver, used.all, used.n);
    predict_list_add(&used, nothing);
    predict_list_add(&used, -e->passed);
    predict_solver_clause(x->solver, used.all, used.n);
    predict_list_finish(&used);
    predict_list_add(&ready, nothing);
    return any(x, &ready);
}

/* Those that are still in the buffer: of a detach before, they are not. */
static int buffer_empty(struct encoder *x, const struct predict_event *e)
{
    struct predict_list each = {0};
    const struct predict_list *calls = &x->p->ranks[e->call.rank];
    for (int32_t i = e->index - 1; i >= 0 && !x->p->buffered; i--) {
        const struct predict_event *s = predict_event(x->p, calls->all[i]);
        if (s->call.op == ISP_OP_DETACH)
            break;
        if (predict_is_send(s) && s->call.mode == ISP_SEND_BUFFERED)
            predict_list_add(&each, s->received);
    }
    return all(x, &each);
}

/* It is left if and only if it is issued, and what it waits for is there. */
static void encode_fence(struct encoder *x, int32_t number)
{
    struct predict_event *e = predict_event(x->p, number);
    int called = issued(x, number), may;
    if (e->call.op == ISP_OP_DETACH)
        may = buffer_empty(x, e);
    else if (e->call.op != ISP_OP_COMPLETE)
        may = complete(x, number);
    else
        may = e->call.mode == ISP_COMPLETE_ALL ? all_complete(x, e) : some_complete(x, e);
    predict_solver_implies(x->solver, e->passed, called);
    predict_solver_implies(x->solver, e->passed, may);
    predict_solver_clause(x->solver, (int[]){-called, -may, e->passed}, 3);
}

/* ---- the whole ---- */

/* Some rank waits for ever; and none goes on after what is known of it. */
static void encode_deadlock(struct encoder *x)
{
    struct predict_list stuck = {0};
    for (int32_t rank = 0; rank < x->p->n_ranks; rank++) {
        const struct predict_list *calls = &x->p->ranks[rank];
        const struct predict_event *last = calls->n ? predict_event(x->p, calls->all[calls->n - 1]) : NULL;
        int32_t fence = !last                    ? PREDICT_NOBODY
                        : predict_is_fence(last) ? calls->all[calls->n - 1]
                                                 : last->fence;
        int passed = fence == PREDICT_NOBODY ? PREDICT_TRUE : predict_event(x->p, fence)->passed;
        predict_list_add(&stuck, -passed);
        if (!last || last->call.op != ISP_OP_FINALIZE)
            predict_solver_clause(x->solver, (int[]){-passed}, 1);
    }
    predict_solver_clause(x->solver, stuck.all, stuck.n);
    predict_list_finish(&stuck);
}

void predict_encode(struct predict *p)
{
    struct encoder x = {
        .p = p, .solver = p->solver, .consumed = predict_new((size_t)p->n_events, sizeof(int32_t))};
    for (int32_t i = 0; i < p->n_events; i++)
        x.consumed[i] = PREDICT_FALSE;
    add_variables(&x);
    for (int32_t i = 0; i < p->n_events; i++) {
        if (predict_is_send(predict_event(p, i)))
            encode_send(&x, i);
        if (predict_gets(predict_event(p, i)))
            encode_receive(&x, i);
    }
    for (int32_t i = 0; i < p->n_pairs; i++)
        encode_pair(&x, &p->pairs[i]);
    for (int32_t rank = 0; rank < p->n_ranks; rank++)
        for (int32_t i = 0; i < p->ranks[rank].n; i++) {
            int32_t number = p->ranks[rank].all[i];
            if (predict_is_fence(predict_event(p, number)))
                encode_fence(&x, number);
        }
    encode_deadlock(&x);
    free(x.consumed);
}
