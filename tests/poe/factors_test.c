/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What multiplies the interleavings, on made-up trees: each measure, when all is explored, is the number of
 * leaves that its definition keeps, counted one by one; also if the search is made in parts, or goes on from
 * what was saved. Before that it is an estimate, which is right at once where subtrees of a level are alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "poe/search.h"

enum { LEVELS = 6, CLASSES = 3, MEASURES = POE_CLASS_FIRST + CLASSES, MOST_PARTS = 20000 };

/* A choice point, of which all is known from the decisions before it. */
struct node {
    unsigned n, class, not_yet;
    bool raced, in_loop;
};

/* One decision that was made. */
struct made {
    struct node node;
    unsigned taken;
};

/* Some tree: another one for each seed. even: nodes of a level are alike. */
struct tree {
    unsigned seed;
    bool even, polls, loops;
};

static unsigned mix(unsigned h, unsigned x)
{
    h = (h ^ x) * 0x9e3779b1u;
    return (h ^ h >> 15) * 0x85ebca77u ^ h >> 13;
}

static struct node node_of(const struct tree *t, const struct made *path, unsigned depth)
{
    unsigned h = mix(t->seed, depth);
    for (unsigned i = 0; !t->even && i < depth; i++)
        h = mix(h, path[i].taken + 7 * i);
    struct node node = {.n = 1 + h % 3, .class = h / 8 % (CLASSES + 1), .raced = h / 64 % 3 == 0};
    if (t->polls && h / 256 % 2)
        node.not_yet = node.n;
    node.in_loop = t->loops && h / 1024 % 3 == 0;
    return node;
}

static bool is_leaf(const struct tree *t, const struct made *path, unsigned depth)
{
    unsigned h = mix(t->seed + 1, depth);
    for (unsigned i = 0; i < depth; i++)
        h = mix(h, path[i].taken + 3 * i);
    return depth == LEVELS || (!t->even && depth > 2 && h % 5 == 0);
}

static bool is_redundant(const struct tree *t, const struct made *path, unsigned depth)
{
    unsigned h = t->seed;
    for (unsigned i = 0; i < depth; i++)
        h = mix(h, path[i].taken);
    return !t->even && h % 7 == 0;
}

/* ---- the definition ---- */

static bool is_mixed(const struct made *path, unsigned depth, unsigned most)
{
    bool turned = false;
    unsigned between = 0;
    for (unsigned i = 0; i < depth; i++) {
        bool many = path[i].node.n > 1 && !path[i].node.in_loop;
        if (turned && path[i].taken && between >= most)
            return false;
        if (turned)
            between += many;
        turned |= path[i].taken != 0;
    }
    return true;
}

static void count_leaf(const struct made *path, unsigned depth, double *sums)
{
    bool no = false, cut[CLASSES + 1] = {false};
    for (unsigned i = 0; i < depth; i++) {
        const struct node *n = &path[i].node;
        no |= n->not_yet == path[i].taken + 1 && n->n + n->raced > 1 && !n->in_loop;
        cut[n->class] |= path[i].taken != 0;
    }
    sums[POE_SHARE_ALL]++;
    sums[POE_SHARE_NO_POLLS] += !no;
    for (unsigned k = 0; k < 3; k++)
        sums[POE_SHARE_MIX_0 + k] += is_mixed(path, depth, k);
    for (unsigned k = 0; k < CLASSES; k++)
        sums[POE_CLASS_FIRST + k] += !cut[k + 1];
}

static void count(const struct tree *t, double *sums)
{
    struct made path[LEVELS + 1];
    unsigned depth = 0;
    memset(sums, 0, MEASURES * sizeof *sums);
    for (;;) {
        while (!is_leaf(t, path, depth)) {
            path[depth] = (struct made){node_of(t, path, depth), 0};
            depth++;
        }
        if (!is_redundant(t, path, depth))
            count_leaf(path, depth, sums);
        for (; depth; depth--) {
            struct made *last = &path[depth - 1];
            if (last->taken + 1 < (last->node.in_loop ? 1 : last->node.n + last->node.raced))
                break;
        }
        if (!depth)
            return;
        path[depth - 1].taken++;
    }
}

/* ---- what the search says ---- */

static void run(const struct tree *t, struct poe_search *s)
{
    struct made path[LEVELS + 1];
    unsigned depth = 0;
    for (; !is_leaf(t, path, depth); depth++) {
        struct node node = node_of(t, path, depth);
        int k = poe_search_next(s, depth, node.n, 100 + depth, node.in_loop);
        assert_in_range(k, 0, node.n);
        poe_search_classify(s, depth, node.class ? 1000 + node.class : 0, node.not_yet);
        if (node.raced && k == 0)
            poe_search_race(s, depth);
        path[depth] = (struct made){node, (unsigned)k};
    }
    if (is_redundant(t, path, depth))
        poe_search_redundant(s);
}

static void add_shares(struct poe_search *s, bool all, double *sums)
{
    struct poe_share *list;
    uint32_t n = poe_search_shares(s, all, &list);
    double whole = 0;
    bool told[CLASSES] = {false};
    for (uint32_t i = 0; i < n; i++) {
        if (list[i].key < POE_CLASS_FIRST) {
            sums[list[i].key] += list[i].leaves;
            whole = list[i].key == POE_SHARE_ALL ? list[i].leaves : whole;
        } else {
            assert_in_range(list[i].key, 1001, 1000 + CLASSES);
            sums[POE_CLASS_FIRST + list[i].key - 1001] += list[i].leaves;
            told[list[i].key - 1001] = true;
        }
    }
    for (unsigned k = 0; k < CLASSES; k++)
        sums[POE_CLASS_FIRST + k] += told[k] ? 0 : whole;
    free(list);
}

static void assert_same(const struct tree *t, const double *got)
{
    double wanted[MEASURES];
    count(t, wanted);
    for (unsigned i = 0; i < MEASURES; i++)
        if (i <= POE_SHARE_MIX_2 || i >= POE_CLASS_FIRST) {
            if (got[i] < wanted[i] - 1e-6 || got[i] > wanted[i] + 1e-6)
                print_error("seed %u, measure %u\n", t->seed, i);
            assert_float_equal(got[i], wanted[i], 1e-6);
        }
}

static void test_all_explored_is_exact(void **state)
{
    for (unsigned seed = 1; seed <= 400; seed++) {
        struct tree t = {.seed = seed, .polls = seed % 2, .loops = seed % 5 == 0};
        struct poe_search *s = poe_search_create(NULL);
        double got[MEASURES] = {0};
        do
            run(&t, s);
        while (poe_search_backtrack(s));
        add_shares(s, true, got);
        assert_same(&t, got);
        poe_search_destroy(s);
    }
}

/* Bounded mixing that is in force counts what it leaves. */
static void test_mixing_that_is_in_force(void **state)
{
    for (unsigned seed = 1; seed <= 200; seed++) {
        struct tree t = {.seed = seed, .polls = true};
        struct poe_search_bounds bounds = {.mixed = true, .mix = 2};
        struct poe_search *s = poe_search_create(&bounds);
        double got[MEASURES] = {0}, wanted[MEASURES];
        do
            run(&t, s);
        while (poe_search_backtrack(s));
        add_shares(s, true, got);
        count(&t, wanted);
        assert_float_equal(got[POE_SHARE_ALL], wanted[POE_SHARE_MIX_2], 1e-6);
        assert_float_equal(got[POE_SHARE_MIX_0], wanted[POE_SHARE_MIX_0], 1e-6);
        assert_float_equal(got[POE_SHARE_MIX_1], wanted[POE_SHARE_MIX_1], 1e-6);
        poe_search_destroy(s);
    }
}

/* After any run; "no polls" needs that an answer was seen, which comes first. */
static void test_an_even_tree_is_right_at_once(void **state)
{
    unsigned tried = 0;
    for (unsigned seed = 1; seed <= 300; seed++) {
        struct tree t = {.seed = seed, .even = true};
        struct poe_search *s = poe_search_create(NULL);
        bool more = true;
        for (unsigned runs = 1; more && runs < 40; runs++) {
            run(&t, s);
            double before[MEASURES] = {0}, after[MEASURES] = {0};
            add_shares(s, true, before);
            assert_same(&t, before);
            more = poe_search_backtrack(s);
            add_shares(s, true, after);
            assert_same(&t, after);
            tried++;
        }
        poe_search_destroy(s);
    }
    assert_in_range(tried, 5000, 12000);
}

/* Two alternatives at the root, of class 1; below the first one choice of two of class 2, below the second
 * none. After the first alternative the second counts as much. */
static void test_an_estimate_by_hand(void **state)
{
    struct poe_search *s = poe_search_create(NULL);
    double got[MEASURES] = {0};
    for (unsigned k = 0; k < 2; k++) {
        poe_search_next(s, 0, 2, 1, false);
        poe_search_classify(s, 0, 1001, 0);
        poe_search_next(s, 1, 2, 2, false);
        poe_search_classify(s, 1, 1002, 0);
        assert_true(poe_search_backtrack(s));
    }
    add_shares(s, true, got);
    assert_true(got[POE_SHARE_ALL] == 4);
    assert_true(got[POE_CLASS_FIRST] == 2 && got[POE_CLASS_FIRST + 1] == 2);
    assert_true(got[POE_SHARE_MIX_0] == 3 && got[POE_SHARE_MIX_1] == 4);
    poe_search_next(s, 0, 2, 1, false);
    assert_false(poe_search_backtrack(s));
    memset(got, 0, sizeof got);
    add_shares(s, true, got);
    assert_true(got[POE_SHARE_ALL] == 3);
    assert_true(got[POE_CLASS_FIRST] == 2 && got[POE_CLASS_FIRST + 1] == 2);
    assert_true(got[POE_SHARE_MIX_0] == 3);
    poe_search_destroy(s);
}

/* ---- in parts ---- */

struct part {
    struct poe_step steps[LEVELS];
    struct poe_share *done[LEVELS]; /* of those that go on */
    uint32_t n_done[LEVELS];
    unsigned n, root;
};

static struct part parts[MOST_PARTS];
static unsigned n_parts;

static struct part prefix_of(const struct poe_search *s, unsigned n, unsigned root)
{
    struct part p = {.n = n, .root = root};
    for (unsigned i = 0; i < n; i++)
        p.steps[i] = poe_search_step(s, i);
    return p;
}

/* *Later* is asked for twice. */
static void add_later(const struct poe_search *s, unsigned number)
{
    struct part p = prefix_of(s, number + 1, number + 1);
    p.steps[number].taken = p.steps[number].n;
    for (unsigned i = 0; i < n_parts; i++) {
        bool same = parts[i].n == p.n && parts[i].root == p.n;
        for (unsigned k = 0; same && k < p.n; k++)
            same = parts[i].steps[k].taken == p.steps[k].taken;
        if (same)
            return;
    }
    assert_in_range(n_parts, 0, MOST_PARTS - 1);
    parts[n_parts++] = p;
}

static void give_half(struct poe_search *s)
{
    struct poe_given given;
    if (!poe_search_halve(s, &given))
        return;
    struct part p = prefix_of(s, given.number + 1, given.number);
    struct poe_step *step = &p.steps[given.number];
    if (given.from < (given.end ? given.end : step->n)) {
        step->first = step->taken = given.from;
        step->end = given.end;
        step->leaves = 0;
        parts[n_parts++] = p;
    }
    if (given.later)
        add_later(s, given.number);
}

/* What is left goes on in another search. */
static void put_back(const struct poe_search *s)
{
    unsigned n = poe_search_prefix(s);
    struct part p = prefix_of(s, n, poe_search_root(s));
    for (unsigned i = p.root; i < n; i++)
        p.n_done[i] = poe_search_done(s, i, &p.done[i]);
    assert_in_range(n_parts, 0, MOST_PARTS - 1);
    parts[n_parts++] = p;
}

static void explore_part(const struct tree *t, struct part *p, unsigned *seed, double *sums)
{
    struct poe_search *s = poe_search_create(NULL);
    poe_search_begin(s, p->steps, p->n, p->root);
    for (unsigned i = 0; i < p->n; i++) {
        poe_search_set_done(s, i, p->done[i], p->n_done[i]);
        free(p->done[i]);
    }
    unsigned number;
    bool more = true;
    while (more) {
        run(t, s);
        while (poe_search_next_race(s, &number))
            add_later(s, number);
        more = poe_search_backtrack(s);
        if (more && rand_r(seed) % 4 == 0)
            give_half(s);
        if (more && rand_r(seed) % 3 == 0) {
            put_back(s);
            break;
        }
    }
    add_shares(s, false, sums); /* the rest is told by who goes on */
    poe_search_destroy(s);
}

static void test_parts_add_up(void **state)
{
    unsigned most = 0;
    for (unsigned seed = 1; seed <= 200; seed++) {
        struct tree t = {.seed = seed, .polls = seed % 2};
        unsigned random = seed;
        double sums[MEASURES] = {0};
        n_parts = 1;
        parts[0] = (struct part){.n = 0};
        for (unsigned i = 0; i < n_parts; i++)
            explore_part(&t, &parts[i], &random, sums);
        assert_same(&t, sums);
        most = n_parts > most ? n_parts : most;
    }
    assert_in_range(most, 20, MOST_PARTS);
}

/* More of them than are measured: the others are left alone. */
static void test_too_many_classes(void **state)
{
    enum { MANY = POE_CLASSES_MOST + 20 };
    struct poe_search *s = poe_search_create(NULL);
    for (unsigned i = 0; i < MANY; i++) {
        poe_search_next(s, i, 2, i, false);
        poe_search_classify(s, i, 1000 + i, 0);
    }
    struct poe_share *list;
    uint32_t n = poe_search_shares(s, true, &list), classes = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(list[i].leaves >= 0 && list[i].leaves <= POE_LEAVES_MOST);
        classes += list[i].key >= POE_CLASS_FIRST;
    }
    assert_int_equal(classes, POE_CLASSES_MOST);
    free(list);
    poe_search_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_explored_is_exact),
        cmocka_unit_test(test_mixing_that_is_in_force),
        cmocka_unit_test(test_an_even_tree_is_right_at_once),
        cmocka_unit_test(test_an_estimate_by_hand),
        cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_too_many_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
