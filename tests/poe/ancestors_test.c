/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conditions of poe/ancestors.h one by one; and random runs, with their matches and with branches that
 * are gone back from, against what the conditions say of each pair of calls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "poe/ancestors.h"

#define CALL(...) (&(struct poe_ancestor_call){__VA_ARGS__})
#define SEND(to, with_tag, ...) CALL(.op = ISP_OP_SEND, .peer = to, .tag = with_tag, __VA_ARGS__)
#define RECEIVE(from, with_tag, ...) CALL(.op = ISP_OP_RECV, .peer = from, .tag = with_tag, __VA_ARGS__)
#define PROBE(from, with_tag, ...) CALL(.op = ISP_OP_PROBE, .peer = from, .tag = with_tag, __VA_ARGS__)
#define NAMED(...)                           \
    .named = (const int32_t[]){__VA_ARGS__}, \
    .n_named = sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)
#define WAIT(...) CALL(.op = ISP_OP_COMPLETE, .flags = ISP_F_FENCE, NAMED(__VA_ARGS__))
#define BARRIER(...) CALL(.op = ISP_OP_COLLECTIVE, .peer = ISP_NO_RANK, __VA_ARGS__)
#define ANY ISP_ANY_SOURCE
#define ANY_TAG ISP_ANY_TAG

static void expect(const struct poe_ancestors *a, int32_t call, const int *wanted)
{
    const int32_t *list;
    unsigned n = poe_ancestors_of(a, call, &list);
    for (unsigned i = 0; i < n; i++) {
        assert_int_not_equal(wanted[i], -1);
        assert_int_equal(list[i], wanted[i]);
    }
    assert_int_equal(wanted[n], -1);
}

/* The immediate ancestors, the latest first. */
#define ANCESTORS(a, call, ...) expect(a, call, (const int[]){__VA_ARGS__ __VA_OPT__(, ) - 1})

static struct poe_ancestors *given(const struct poe_ancestor_call *const *calls)
{
    struct poe_ancestors *a = poe_ancestors_create();
    for (int32_t i = 0; calls[i]; i++)
        assert_int_equal(poe_ancestors_add(a, calls[i]), i);
    return a;
}

/* How many calls have changed. */
static unsigned matched(struct poe_ancestors *a, int32_t send, int32_t receive)
{
    const int32_t *changed;
    return poe_ancestors_match(a, send, receive, &changed);
}

#define GIVEN(...) given((const struct poe_ancestor_call *const[]){__VA_ARGS__, NULL})

/* C1, of each thread by itself; what is before a blocking call need not be before what follows it. */
static void test_blocking_calls(void **state)
{
    struct poe_ancestors *a = GIVEN(
        SEND(1, 0, .flags = ISP_F_FENCE), SEND(2, 0), BARRIER(.flags = ISP_F_FENCE), SEND(3, 0), SEND(2, 0),
        SEND(3, 0, .thread = 1), SEND(3, 0, .rank = 4), CALL(.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE));
    ANCESTORS(a, 0);
    ANCESTORS(a, 1, 0);
    ANCESTORS(a, 2, 0);
    ANCESTORS(a, 3, 2);
    ANCESTORS(a, 4, 2, 1);
    ANCESTORS(a, 5);
    ANCESTORS(a, 6);
    ANCESTORS(a, 7, 2);
    poe_ancestors_destroy(a);
}

/* C2: a wait is ordered behind its own requests only, and behind another thread's too; to free or to cancel
 * is not to wait. */
static void test_waits(void **state)
{
    struct poe_ancestors *a =
        GIVEN(RECEIVE(1, 1), RECEIVE(1, 2), RECEIVE(1, 3), RECEIVE(1, 4, .thread = 1), WAIT(0, -1, 2),
              WAIT(1, 3), CALL(.op = ISP_OP_JOIN, NAMED(0, 1)), CALL(.op = ISP_OP_CANCEL, NAMED(2)),
              CALL(.op = ISP_OP_FREE, NAMED(2)), RECEIVE(1, 1), RECEIVE(1, 1), WAIT(9, 10));
    ANCESTORS(a, 4, 2, 0);
    ANCESTORS(a, 5, 4, 3, 1);
    ANCESTORS(a, 6, 5);
    ANCESTORS(a, 7, 5);
    ANCESTORS(a, 8, 5);
    ANCESTORS(a, 9, 5); /* 0 is behind the wait */
    ANCESTORS(a, 10, 9);
    ANCESTORS(a, 11, 10);
    poe_ancestors_destroy(a);
}

/* C3: the same destination and tag, or a tag that the receive would have taken as well. Partitioned ones
 * match their like. */
static void test_sends(void **state)
{
    struct poe_ancestors *a = GIVEN(SEND(1, 5), SEND(2, 5), SEND(1, 6), SEND(1, 5), SEND(1, 5, .comm = 3),
                                    SEND(1, 5, .flags = ISP_F_PARTITIONED), SEND(1, 7), SEND(ISP_NO_RANK, 7),
                                    SEND(ISP_NO_RANK, 7), RECEIVE(0, ANY_TAG, .rank = 1),
                                    RECEIVE(0, 7, .rank = 1), SEND(1, 8), RECEIVE(0, ANY_TAG, .rank = 1));
    ANCESTORS(a, 1);
    ANCESTORS(a, 2);
    ANCESTORS(a, 3, 0);
    ANCESTORS(a, 4);
    ANCESTORS(a, 5);
    ANCESTORS(a, 6);
    ANCESTORS(a, 8);
    assert_int_equal(matched(a, 6, 10), 0); /* by its tag */
    ANCESTORS(a, 6);
    assert_int_equal(matched(a, 6, 9), 1);
    ANCESTORS(a, 6, 3, 2);
    assert_int_equal(matched(a, 11, 12), 1);
    ANCESTORS(a, 11, 6); /* no further back than to what all others are before */
    assert_int_equal(matched(a, 11, 12), 0);
    assert_int_equal(matched(a, 9, 12), 0); /* no send */
    assert_int_equal(matched(a, 11, 7), 0);
    poe_ancestors_destroy(a);
}

/* C4: the earlier one accepts all that the later one does, by source and tag. */
static void test_receives(void **state)
{
    struct poe_ancestors *a =
        GIVEN(RECEIVE(2, ANY_TAG), RECEIVE(2, 7), RECEIVE(2, ANY_TAG), RECEIVE(3, 7), RECEIVE(ANY, 7),
              RECEIVE(1, 7), RECEIVE(2, 7), RECEIVE(3, 7, .mode = ISP_RECV_MESSAGE), SEND(1, 7),
              RECEIVE(2, 7, .comm = 1));
    ANCESTORS(a, 1, 0);
    ANCESTORS(a, 2, 0); /* 1 takes tag 7 only */
    ANCESTORS(a, 3);
    ANCESTORS(a, 4); /* what names its source does not order a wildcard */
    ANCESTORS(a, 5, 4);
    ANCESTORS(a, 6, 4, 2, 1);
    ANCESTORS(a, 7);
    ANCESTORS(a, 8);
    ANCESTORS(a, 9);
    poe_ancestors_destroy(a);
}

/* C4': by the message that a wildcard took. */
static void test_wildcards(void **state)
{
    struct poe_ancestors *a = GIVEN(RECEIVE(2, 7), RECEIVE(3, 7), RECEIVE(ANY, 7), SEND(0, 7, .rank = 3),
                                    RECEIVE(4, 8), RECEIVE(ANY, ANY_TAG), SEND(0, 8, .rank = 4));
    ANCESTORS(a, 2);
    ANCESTORS(a, 5);
    assert_int_equal(matched(a, 3, 2), 1);
    ANCESTORS(a, 2, 1);
    assert_int_equal(matched(a, 6, 5), 1);
    ANCESTORS(a, 5, 4);
    poe_ancestors_destroy(a);
    a = GIVEN(RECEIVE(ANY, ANY_TAG), RECEIVE(3, 7), RECEIVE(ANY, ANY_TAG), SEND(0, 7, .rank = 3));
    ANCESTORS(a, 2, 0);
    assert_int_equal(matched(a, 3, 2), 1);
    ANCESTORS(a, 2, 1); /* and 0 before that */
    poe_ancestors_destroy(a);
}

/* A probe finds only what no earlier receive would take; one that polls, if it finds something. What it finds
 * stays. */
static void test_probes(void **state)
{
    struct poe_ancestors *a =
        GIVEN(RECEIVE(2, 7), PROBE(2, 7, .flags = ISP_F_FENCE), RECEIVE(3, 7),
              PROBE(3, 7, .flags = ISP_F_FENCE | ISP_F_POLL), RECEIVE(3, 7), SEND(0, 7, .rank = 3));
    ANCESTORS(a, 1, 0);
    ANCESTORS(a, 3, 1);
    ANCESTORS(a, 4, 3, 2);
    assert_int_equal(matched(a, 5, 3), 1);
    ANCESTORS(a, 3, 2);
    poe_ancestors_destroy(a);
}

static void test_collectives(void **state)
{
    struct poe_ancestors *a = GIVEN(
        BARRIER(.tag = 0), BARRIER(.comm = 5), BARRIER(.tag = 0), BARRIER(.flags = ISP_F_SUBSET, .tag = 1),
        BARRIER(.flags = ISP_F_SUBSET, .tag = 2), BARRIER(.flags = ISP_F_SUBSET, .tag = 1));
    ANCESTORS(a, 1);
    ANCESTORS(a, 2, 0);
    ANCESTORS(a, 3);
    ANCESTORS(a, 4);
    ANCESTORS(a, 5, 3);
    assert_true(poe_ancestor_leads(SEND(1, 0)));
    assert_true(poe_ancestor_leads(BARRIER()));
    assert_false(poe_ancestor_leads(RECEIVE(1, 0)));
    poe_ancestors_destroy(a);
}

static void test_back(void **state)
{
    struct poe_ancestors *a = GIVEN(RECEIVE(ANY, ANY_TAG, .rank = 1), SEND(1, 5), SEND(1, 6), SEND(1, 7));
    for (int i = 0; i < 2; i++) {
        struct poe_ancestors_mark mark = poe_ancestors_mark(a);
        assert_int_equal(matched(a, 3, 0), 1);
        ANCESTORS(a, 3, 2, 1);
        poe_ancestors_add(a, WAIT(1));
        poe_ancestors_add(a, SEND(1, 5));
        ANCESTORS(a, 4, 1);
        ANCESTORS(a, 5, 4);
        poe_ancestors_back(a, &mark);
        ANCESTORS(a, 3);
        mark = poe_ancestors_mark(a);
        assert_int_equal(poe_ancestors_add(a, SEND(1, 5)), 4);
        ANCESTORS(a, 4, 1);
        poe_ancestors_back(a, &mark);
    }
    poe_ancestors_destroy(a);
    poe_ancestors_destroy(NULL);
}

/* The wait came first, when one send was not yet known to be before the other. */
static void test_waits_lose_what_is_implied(void **state)
{
    struct poe_ancestors *a =
        GIVEN(SEND(1, 0), SEND(1, 1), WAIT(0, 1), RECEIVE(0, ANY_TAG, .rank = 1), RECEIVE(ANY, 3, .rank = 2),
              RECEIVE(0, 3, .rank = 2), RECEIVE(0, 3, .rank = 2, .comm = 1));
    ANCESTORS(a, 2, 1, 0);
    assert_int_equal(matched(a, 1, 3), 2);
    ANCESTORS(a, 1, 0);
    ANCESTORS(a, 2, 1);
    poe_ancestors_destroy(a);
}

/* Names that no run has, but a damaged trace; and many that are not related. */
static void test_what_is_named(void **state)
{
    struct poe_ancestors *a =
        GIVEN(RECEIVE(1, 0), RECEIVE(1, 0, .flags = ISP_F_SIGNAL), RECEIVE(2, 0), RECEIVE(3, 0),
              RECEIVE(4, 0), SEND(1, 0), CALL(.op = ISP_OP_JOIN, NAMED(4, 5)), BARRIER(.rank = 1),
              RECEIVE(5, 0), WAIT(0, 1, 2, 3, 6, 7, 8, 9, 99, -1, 4));
    ANCESTORS(a, 9, 8, 7, 6, 3, 2, 1, 0);
    poe_ancestors_destroy(a);
}

/* A trace that was made to do harm: what would take too long is not found, and nothing false is. */
static void test_there_are_limits(void **state)
{
    enum { MANY = 15000 };
    struct poe_ancestors *a = GIVEN(RECEIVE(1, ANY_TAG), RECEIVE(ANY, 5));
    for (int i = 0; i < MANY; i++)
        poe_ancestors_add(a, RECEIVE(1, 5));
    int32_t send = poe_ancestors_add(a, SEND(0, 5, .rank = 1));
    assert_int_equal(matched(a, send, 1), 1);
    ANCESTORS(a, 1, 0);
    int32_t first = poe_ancestors_add(a, BARRIER());
    int32_t last = first;
    while (last < first + MANY)
        last = poe_ancestors_add(a, BARRIER());
    int32_t wait = poe_ancestors_add(a, WAIT(first, last)); /* the first is implied, a long way round */
    ANCESTORS(a, wait, last, first);
    for (int i = 0; i < MANY; i++)
        send = poe_ancestors_add(a, SEND(3, i, .rank = 2));
    int32_t receive = poe_ancestors_add(a, RECEIVE(2, ANY_TAG, .rank = 3));
    const int32_t *list;
    assert_int_equal(matched(a, send, receive), 1);
    assert_in_range(poe_ancestors_of(a, send, &list), 1000, MANY - 2);
    poe_ancestors_destroy(a);
}

/* ---- random runs ---- */

enum { MOST = 60, RUNS = 3000 };

struct run {
    struct poe_ancestor_call calls[MOST];
    int32_t named[MOST][3];
    int32_t taken[MOST], taker[MOST]; /* of a receive, the message; of a send, the last one that took or found
                                         it; or -1 */
    bool by_any_tag[MOST];            /* a send, by one of them */
    int32_t n;
};

static uint32_t seed;

static int32_t at_random(int32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((seed >> 8) % (uint32_t)n);
}

static void call_at_random(struct run *r, bool across)
{
    static const uint8_t ops[] = {ISP_OP_SEND, ISP_OP_SEND,  ISP_OP_RECV,     ISP_OP_RECV,
                                  ISP_OP_RECV, ISP_OP_PROBE, ISP_OP_COMPLETE, ISP_OP_COLLECTIVE};
    int32_t i = r->n++;
    struct poe_ancestor_call *c = &r->calls[i];
    *c = (struct poe_ancestor_call){.op = ops[at_random(8)],
                                    .rank = at_random(2),
                                    .thread = at_random(8) == 0,
                                    .comm = at_random(4) == 0};
    if (at_random(5) == 0 || c->op == ISP_OP_PROBE || c->op == ISP_OP_COMPLETE)
        c->flags |= ISP_F_FENCE;
    if (c->op == ISP_OP_PROBE && at_random(2))
        c->flags |= ISP_F_POLL;
    bool message = c->op == ISP_OP_SEND || c->op == ISP_OP_RECV || c->op == ISP_OP_PROBE;
    c->peer = message ? 1 - c->rank : 0;
    c->tag = message ? at_random(3) : 0;
    if (message && c->op != ISP_OP_SEND) {
        c->peer = at_random(3) ? at_random(2) : ANY;
        c->tag = at_random(3) ? c->tag : ANY_TAG;
    }
    for (; c->op == ISP_OP_COMPLETE && i > 0 && c->n_named < 3 && at_random(3); c->n_named++) {
        int32_t named = at_random(i);
        r->named[i][c->n_named] =
            r->calls[named].rank == c->rank && (across || r->calls[named].thread == c->thread) ? named : -1;
    }
    c->named = r->named[i];
    r->taken[i] = r->taker[i] = -1;
    r->by_any_tag[i] = false;
}

static bool fits(const struct poe_ancestor_call *s, const struct poe_ancestor_call *r)
{
    return s->op == ISP_OP_SEND && (r->op == ISP_OP_RECV || r->op == ISP_OP_PROBE) && s->comm == r->comm &&
           (r->peer == ANY || r->peer == s->rank) && (r->tag == ANY_TAG || r->tag == s->tag);
}

static void match_at_random(struct run *r, struct poe_ancestors *a)
{
    int32_t send = at_random(r->n), receive = at_random(r->n);
    if (!fits(&r->calls[send], &r->calls[receive]) || r->taken[receive] >= 0)
        return;
    r->taken[receive] = send;
    r->by_any_tag[send] |= r->calls[receive].tag == ANY_TAG;
    matched(a, send, receive);
}

static bool accepts(const struct poe_ancestor_call *r, int32_t source, int32_t tag)
{
    return (r->peer == ANY || r->peer == source) && (r->tag == ANY_TAG || r->tag == tag);
}

/* C1 to C4' between x and a later y. */
static bool orders(const struct run *run, int32_t x, int32_t y)
{
    const struct poe_ancestor_call *a = &run->calls[x], *b = &run->calls[y];
    for (uint32_t i = 0; i < b->n_named; i++)
        if (b->named[i] == x)
            return true;
    if (a->rank != b->rank || a->thread != b->thread)
        return false;
    if (a->flags & ISP_F_FENCE)
        return true;
    if (a->comm != b->comm)
        return false;
    if (a->op == ISP_OP_COLLECTIVE || a->op == ISP_OP_SEND)
        return a->op == b->op && a->peer == b->peer && (a->tag == b->tag || run->by_any_tag[y]);
    if (a->op != ISP_OP_RECV || (b->op != ISP_OP_RECV && b->op != ISP_OP_PROBE))
        return false;
    const struct poe_ancestor_call *s = run->taken[y] >= 0 ? &run->calls[run->taken[y]] : NULL;
    bool all = accepts(a, b->peer, b->tag) && !(b->flags & ISP_F_POLL);
    return all || (s && accepts(a, s->rank, s->tag));
}

static void close_relation(const struct run *r, bool before[MOST][MOST])
{
    memset(before, 0, sizeof(bool[MOST][MOST]));
    for (int32_t y = 0; y < r->n; y++)
        for (int32_t x = y - 1; x >= 0; x--) {
            if (!before[y][x] && !orders(r, x, y))
                continue;
            before[y][x] = true;
            for (int32_t z = 0; z < x; z++)
                before[y][z] |= before[x][z];
        }
}

/* What follows from the lists is the relation; and no list has what follows from the rest of it, where no
 * match comes late and no request is waited for by two threads. */
static void compare(const struct run *r, const struct poe_ancestors *a, bool least)
{
    static bool wanted[MOST][MOST], got[MOST][MOST];
    close_relation(r, wanted);
    memset(got, 0, sizeof got);
    for (int32_t y = 0; y < r->n; y++) {
        const int32_t *list;
        unsigned n = poe_ancestors_of(a, y, &list);
        for (unsigned i = 0; i < n; i++) {
            assert_true(list[i] >= 0 && list[i] < y && (i == 0 || list[i] < list[i - 1]));
            assert_false(least && got[y][list[i]]);
            got[y][list[i]] = true;
            for (int32_t z = 0; z < list[i]; z++)
                got[y][z] |= got[list[i]][z];
        }
        assert_memory_equal(got[y], wanted[y], sizeof got[y]);
    }
}

static void test_random_runs(void **state)
{
    static struct run run, earlier;
    for (int i = 0; i < RUNS; i++) {
        seed = (uint32_t)i * 7919u + 1;
        struct poe_ancestors *a = poe_ancestors_create();
        bool matches = i % 3;
        run.n = 0;
        for (int branch = 0; branch < 3; branch++) {
            struct poe_ancestors_mark mark = poe_ancestors_mark(a);
            memcpy(&earlier, &run, sizeof run);
            int32_t end = run.n + 1 + at_random(MOST / 3);
            while (run.n < end && run.n < MOST) {
                call_at_random(&run, matches);
                poe_ancestors_add(a, &run.calls[run.n - 1]);
                for (int k = 0; k < 8 && matches; k++)
                    match_at_random(&run, a);
            }
            compare(&run, a, !matches);
            if (at_random(2)) {
                poe_ancestors_back(a, &mark);
                memcpy(&run, &earlier, sizeof run);
                compare(&run, a, !matches);
            }
        }
        poe_ancestors_destroy(a);
    }
}

/* Many pending ones, and none costs more than the one before: this ends within the time limit of the test. */
static void test_many(void **state)
{
    enum { MANY = 300000 };
    struct poe_ancestors *a = poe_ancestors_create();
    poe_ancestors_add(a, RECEIVE(ANY, 3));
    for (int32_t i = 1; i < MANY; i++)
        poe_ancestors_add(a, RECEIVE(1, 3));
    for (int32_t i = 0; i < MANY; i++)
        poe_ancestors_add(a, SEND(0, i, .rank = 1));
    for (int32_t i = 0; i < MANY; i++)
        poe_ancestors_add(a, RECEIVE(ANY, ANY_TAG, .rank = 2));
    for (int32_t i = 0; i < MANY; i++)
        assert_int_equal(matched(a, MANY + i, 2 * MANY + i) > 0, i > 0);
    for (int32_t i = 1; i < MANY; i++)
        poe_ancestors_add(a, WAIT(i));
    ANCESTORS(a, MANY - 1, MANY - 2);
    ANCESTORS(a, 2 * MANY - 1, 2 * MANY - 2);
    ANCESTORS(a, 3 * MANY - 1, 3 * MANY - 2);
    ANCESTORS(a, 3 * MANY + 5, 3 * MANY + 4, 6);
    poe_ancestors_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocking_calls),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_sends),
        cmocka_unit_test(test_receives),
        cmocka_unit_test(test_wildcards),
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_collectives),
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_what_is_named),
        cmocka_unit_test(test_waits_lose_what_is_implied),
        cmocka_unit_test(test_random_runs),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_there_are_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
