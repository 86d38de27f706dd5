/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search under bounds, on choice points that are made up: the exact interleavings by name, what is said
 * to be left out, and the estimate. What poe makes of bounds is compared on random scenarios:
 * compare_bounds.py.
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

enum { MAX_LEVELS = 8, MAX_NAMES = 4096 };

/* Every run meets the same choice points, one after the other. */
struct tree {
    unsigned levels;
    unsigned n[MAX_LEVELS];
    bool raced[MAX_LEVELS]; /* a run that takes the first alternative here shows a race */
    bool in_loop[MAX_LEVELS];
    bool shows; /* which alternative a run takes first, as runs do whose ranks go ahead */
    unsigned shown[MAX_LEVELS];
};

static char names[MAX_NAMES][32];
static unsigned n_names;

static void run(const struct tree *t, struct poe_search *s)
{
    for (unsigned i = 0; i < t->levels; i++) {
        int k = t->shows ? poe_search_follow(s, i, t->n[i], 100 + i, t->in_loop[i], t->shown[i])
                         : poe_search_next(s, i, t->n[i], 100 + i, t->in_loop[i]);
        assert_in_range(k, 0, t->n[i]);
        if (t->raced[i] && k == 0)
            poe_search_race(s, i);
    }
    char *name = poe_search_name(s);
    snprintf(names[n_names++], sizeof names[0], "%s", name);
    assert_in_range(n_names, 1, MAX_NAMES - 1);
    free(name);
}

/* At most `most` runs; the search is the caller's. True if it came to its end. */
static bool explore(const struct tree *t, struct poe_search *s, unsigned most)
{
    n_names = 0;
    do
        run(t, s);
    while (poe_search_backtrack(s) && n_names < most);
    return n_names < most;
}

static struct poe_search *explore_all(const struct tree *t, struct poe_search_bounds bounds)
{
    struct poe_search *s = poe_search_create(&bounds);
    assert_true(explore(t, s, MAX_NAMES - 1));
    return s;
}

/* The names, in this order; `wanted` is separated by blanks. */
static void assert_names(const char *wanted)
{
    char got[4096] = "";
    for (unsigned i = 0; i < n_names; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "", names[i]);
    assert_string_equal(got, wanted);
}

static void assert_left_out(struct poe_search *s, uint64_t mixing, uint64_t loops)
{
    struct poe_left_out left = poe_search_left_out(s);
    assert_int_equal(left.mixing, mixing);
    assert_int_equal(left.loops, loops);
}

static struct poe_search_bounds mix(unsigned k)
{
    return (struct poe_search_bounds){.mixed = true, .mix = k};
}

static struct poe_search_bounds walks(uint64_t seed)
{
    return (struct poe_search_bounds){.random = true, .seed = seed};
}

static const struct tree PAIRS = {.levels = 3, .n = {2, 2, 2}};

static void test_mix_0_tries_each_alternative_alone(void **state)
{
    struct poe_search *s = explore_all(&PAIRS, mix(0));
    assert_names("0 0.0.1 0.1 1");
    assert_left_out(s, 3, 0); /* the third after 0.1, the second and the third after 1 */
    assert_true(poe_search_estimate(s) == 8);
    poe_search_destroy(s);
}

static void test_mix_1_combines_neighbours(void **state)
{
    struct poe_search *s = explore_all(&PAIRS, mix(1));
    assert_names("0 0.0.1 0.1 0.1.1 1 1.1");
    assert_left_out(s, 2, 0);
    assert_true(poe_search_estimate(s) == 8);
    poe_search_destroy(s);
}

static void test_mix_of_all_leaves_nothing_out(void **state)
{
    struct poe_search *s = explore_all(&PAIRS, mix(2));
    assert_names("0 0.0.1 0.1 0.1.1 1 1.0.1 1.1 1.1.1");
    assert_left_out(s, 0, 0);
    poe_search_destroy(s);
}

/* The distance is from the first decision that is not 0, not from the last one: otherwise K = 1 would give
 * 2^n. */
static void test_mix_grows_linearly(void **state)
{
    struct tree t = {.levels = 8, .n = {2, 2, 2, 2, 2, 2, 2, 2}};
    poe_search_destroy(explore_all(&t, mix(0)));
    assert_int_equal(n_names, 1 + 8);
    poe_search_destroy(explore_all(&t, mix(1)));
    assert_int_equal(n_names, 1 + 8 + 7);
    poe_search_destroy(explore_all(&t, mix(2)));
    assert_int_equal(n_names, 1 + 8 + 7 + 2 * 6);
}

static void test_mix_does_not_count_single_alternatives(void **state)
{
    struct tree t = {.levels = 3, .n = {2, 1, 2}};
    poe_search_destroy(explore_all(&t, mix(1)));
    assert_names("0 0.0.1 1 1.0.1");
}

/* *Later* is an alternative like the others, also of a choice point with a single one. */
static void test_mix_and_later(void **state)
{
    struct tree t = {.levels = 3, .n = {2, 1, 2}, .raced = {true, true, false}};
    struct poe_search *s = explore_all(&t, mix(0));
    assert_names("0 0.0.1 0.1 1 2");
    /* after 0.1 the third; after 1 and after 2 the second, whose *later* is not tried, and the third */
    assert_left_out(s, 5, 0);
    poe_search_destroy(s);
    s = explore_all(&t, mix(1));
    assert_names("0 0.0.1 0.1 0.1.1 1 1.0.1 1.1 1.1.1 2 2.0.1 2.1 2.1.1");
    assert_left_out(s, 0, 0);
    poe_search_destroy(s);
}

static void test_a_loop_takes_its_first_alternative(void **state)
{
    struct tree t = {
        .levels = 3, .n = {2, 3, 2}, .raced = {false, true, false}, .in_loop = {false, true, false}};
    struct poe_search *s = explore_all(&t, (struct poe_search_bounds){0});
    assert_names("0 0.0.1 1 1.0.1"); /* and no *later* */
    assert_left_out(s, 0, 2);
    assert_true(poe_search_estimate(s) == 16);
    poe_search_destroy(s);
    s = explore_all(&t, mix(1)); /* what is in a loop is no choice: it does not count */
    assert_names("0 0.0.1 1 1.0.1");
    assert_left_out(s, 0, 2);
    poe_search_destroy(s);
}

/* ---- random walks ---- */

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void assert_no_name_twice(void)
{
    qsort(names, n_names, sizeof names[0], by_text);
    for (unsigned i = 1; i < n_names; i++)
        assert_string_not_equal(names[i - 1], names[i]);
}

static const struct tree LATE = {.levels = 4, .n = {3, 2, 1, 4}, .raced = {true, false, true, false}};

static void test_walks_end_when_all_is_explored(void **state)
{
    poe_search_destroy(explore_all(&LATE, (struct poe_search_bounds){0}));
    assert_int_equal(n_names, 4 * 2 * 2 * 4);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct poe_search *s = explore_all(&LATE, walks(seed));
        assert_int_equal(n_names, 64);
        assert_no_name_twice();
        assert_true(poe_search_estimate(s) == 64);
        assert_int_equal(poe_search_frontier(s), 0);
        poe_search_destroy(s);
    }
}

/* These walks are a promise: on every machine the same for the same seed. */
static void test_walks_are_known_by_their_seed(void **state)
{
    struct poe_search_bounds bounds = walks(1);
    struct poe_search *s = poe_search_create(&bounds);
    assert_false(explore(&LATE, s, 6));
    assert_names("0.0.0.1 0.0.0.3 2.1.0.1 2 0.0.0.2 0.0.1.2");
    poe_search_destroy(s);
    bounds = walks(2);
    s = poe_search_create(&bounds);
    assert_false(explore(&LATE, s, 6));
    assert_names("2 2.0.0.3 0.1.0.1 2.0.0.1 2.1 1.1.0.3");
    poe_search_destroy(s);
}

/* Each of three first alternatives in about a third of the walks: fewer than 500 in 2000 seeds would be a
 * chance of 1e-15. */
static void test_walks_are_fair(void **state)
{
    unsigned seen[3] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct poe_search_bounds bounds = walks(seed);
        struct poe_search *s = poe_search_create(&bounds);
        seen[poe_search_next(s, 0, 3, 1, false)]++;
        poe_search_destroy(s);
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(seen[i], 500, 833);
}

static void test_walks_keep_to_the_other_bounds(void **state)
{
    struct poe_search_bounds bounds = mix(1);
    bounds.random = true;
    struct poe_search *s = explore_all(&PAIRS, bounds);
    assert_no_name_twice(); /* sorts them */
    assert_names("0 0.0.1 0.1 0.1.1 1 1.1");
    assert_left_out(s, 2, 0);
    poe_search_destroy(s);
    struct tree t = {.levels = 3, .n = {2, 3, 2}, .in_loop = {false, true, false}};
    s = explore_all(&t, walks(3));
    assert_no_name_twice();
    assert_names("0 0.0.1 1 1.0.1");
    assert_left_out(s, 0, 2);
    poe_search_destroy(s);
}

/* What is run again is the same up to the prefix, and the decision there is another one. */
static void test_walks_say_what_they_repeat(void **state)
{
    struct poe_search_bounds bounds = walks(5);
    struct poe_search *s = poe_search_create(&bounds);
    unsigned before[MAX_LEVELS] = {0};
    assert_int_equal(poe_search_prefix(s), 0);
    for (unsigned walk = 0; walk < 64; walk++) {
        unsigned prefix = poe_search_prefix(s);
        assert_in_range(poe_search_known(s), prefix, LATE.levels);
        for (unsigned i = 0; i < LATE.levels; i++) {
            unsigned k = (unsigned)poe_search_next(s, i, LATE.n[i], 100 + i, false);
            if (i + 1 < prefix)
                assert_int_equal(k, before[i]);
            if (i + 1 == prefix)
                assert_int_not_equal(k, before[i]);
            if (LATE.raced[i] && k == 0)
                poe_search_race(s, i);
            before[i] = k;
        }
        assert_int_equal(poe_search_backtrack(s), walk < 63);
    }
    poe_search_destroy(s);
}

static void test_walks_notice_another_choice_point(void **state)
{
    struct poe_search_bounds bounds = walks(1);
    struct poe_search *s = poe_search_create(&bounds);
    run(&PAIRS, s);
    assert_true(poe_search_backtrack(s));
    assert_int_equal(poe_search_next(s, 0, 2, 99, false), -1);
    poe_search_destroy(s);
}

/* ---- the estimate ---- */

static void test_estimate_of_an_even_tree_is_right_at_once(void **state)
{
    struct tree t = {.levels = 5, .n = {5, 4, 3, 2, 1}};
    for (int random = 0; random < 2; random++) {
        struct poe_search_bounds bounds = {.random = random};
        struct poe_search *s = poe_search_create(&bounds);
        for (unsigned runs = 1; runs < 30; runs++) {
            run(&t, s);
            assert_true(poe_search_backtrack(s));
            assert_float_equal(poe_search_estimate(s), 120, 1e-9);
        }
        poe_search_destroy(s);
    }
    n_names = 0;
}

/* 2 at the root; then one interleaving below the first, and 3 below the second. */
static void test_estimate_of_an_uneven_tree_is_right_in_the_end(void **state)
{
    struct poe_search *s = poe_search_create(NULL);
    assert_int_equal(poe_search_next(s, 0, 2, 1, false), 0);
    assert_true(poe_search_backtrack(s));
    assert_true(poe_search_estimate(s) == 2); /* the other half is as large */
    for (int k = 0; k < 3; k++) {
        assert_int_equal(poe_search_next(s, 0, 2, 1, false), 1);
        assert_int_equal(poe_search_next(s, 1, 3, 2, false), k);
        assert_int_equal(poe_search_backtrack(s), k < 2);
        assert_true(poe_search_estimate(s) == 4);
    }
    poe_search_destroy(s);
}

static void test_redundant_runs_are_no_interleavings(void **state)
{
    for (int random = 0; random < 2; random++) {
        struct poe_search_bounds bounds = {.random = random};
        struct poe_search *s = poe_search_create(&bounds);
        do {
            if (poe_search_next(s, 0, 4, 1, false) == 2)
                poe_search_redundant(s);
        } while (poe_search_backtrack(s));
        assert_true(poe_search_estimate(s) == 3);
        poe_search_destroy(s);
    }
}

/* ---- in parts ---- */

enum { MOST_PARTS = 2000 };

struct part {
    struct poe_step steps[MAX_LEVELS];
    unsigned n, root;
};

static struct part parts[MOST_PARTS];
static unsigned n_parts, n_done;

/* Once, whoever asks for it; only *later* is asked for twice. */
static void add_part(const struct part *p)
{
    for (unsigned i = 0; i < n_parts; i++) {
        bool same = parts[i].n == p->n && parts[i].root == p->n && p->root == p->n;
        for (unsigned k = 0; same && k < p->n; k++)
            same = parts[i].steps[k].taken == p->steps[k].taken;
        if (same)
            return;
    }
    assert_in_range(n_parts, 0, MOST_PARTS - 1);
    parts[n_parts++] = *p;
}

static struct part prefix_of(const struct poe_search *s, unsigned n, unsigned root)
{
    struct part p = {.n = n, .root = root};
    for (unsigned i = 0; i < n; i++)
        p.steps[i] = poe_search_step(s, i);
    return p;
}

static void add_later(const struct poe_search *s, unsigned number)
{
    struct part p = prefix_of(s, number + 1, number + 1);
    p.steps[number].taken = p.steps[number].n;
    add_part(&p);
}

static void give_half(struct poe_search *s)
{
    struct poe_given given;
    if (!poe_search_halve(s, &given))
        return;
    struct part p = prefix_of(s, given.number + 1, given.number);
    struct poe_step *step = &p.steps[given.number];
    if (given.from < (given.end ? given.end : poe_step_positions(step))) {
        step->first = step->taken = given.from;
        step->end = given.end;
        step->leaves = 0;
        add_part(&p);
    }
    if (given.later)
        add_later(s, given.number);
}

static void explore_parts(const struct tree *t, unsigned *seed)
{
    n_names = n_done = 0;
    n_parts = 1;
    parts[0] = (struct part){.n = 0};
    while (n_done < n_parts) {
        struct poe_search_bounds all = {0};
        struct poe_search *s = poe_search_create(&all);
        const struct part *p = &parts[n_done++];
        poe_search_begin(s, p->steps, p->n, p->root);
        unsigned number;
        do {
            run(t, s);
            while (poe_search_next_race(s, &number))
                add_later(s, number);
        } while (poe_search_backtrack(s) && (rand_r(seed) % 3 || (give_half(s), true)));
        poe_search_destroy(s);
    }
}

/* More than a double can count: each number that a part is given to others with is finite all the same. */
static void test_estimate_stops(void **state)
{
    enum { DEEP = 1200 };
    static const struct poe_search_bounds bounds = {.mixed = true, .mix = 0};
    struct poe_search *s = poe_search_create(&bounds);
    for (int i = 0; i < 3; i++) {
        for (unsigned number = 0; number < DEEP; number++)
            assert_int_not_equal(poe_search_next(s, number, 2, number, false), -1);
        assert_true(poe_search_estimate(s) == POE_LEAVES_MOST);
        assert_true(poe_search_backtrack(s));
    }
    struct poe_step step = poe_search_step(s, poe_search_prefix(s) - 1);
    assert_true(step.leaves > 0 && step.leaves <= POE_LEAVES_MOST);
    struct poe_given given;
    double passed;
    assert_true(poe_search_halve(s, &given));
    poe_search_passed(s, &passed);
    assert_true(passed >= 0 && passed <= POE_LEAVES_MOST);
    poe_search_destroy(s);
}

static void test_what_was_shown_comes_first(void **state)
{
    struct tree t = {.levels = 2, .n = {3, 2}, .shows = true, .shown = {1, 0}};
    poe_search_destroy(explore_all(&t, (struct poe_search_bounds){0}));
    assert_names("1 1.1 0 0.1 2 2.1");
    t.shown[0] = 3; /* *later*, which is an alternative then without a race */
    poe_search_destroy(explore_all(&t, (struct poe_search_bounds){0}));
    assert_names("3 3.1 0 0.1 1 1.1 2 2.1");
    t.shown[0] = 1;
    t.raced[0] = true; /* below 0 */
    poe_search_destroy(explore_all(&t, (struct poe_search_bounds){0}));
    assert_names("1 1.1 0 0.1 2 2.1 3 3.1");
    poe_search_destroy(explore_all(&t, mix(0))); /* what is shown is no choice of the search's */
    assert_names("1 1.1 0 2 3");
}

static void test_walks_follow_what_is_shown(void **state)
{
    struct tree t = {.levels = 2, .n = {3, 3}, .shows = true, .shown = {2, 1}};
    struct poe_search_bounds bounds = {.random = true, .seed = 7};
    struct poe_search *s = poe_search_create(&bounds);
    assert_true(explore(&t, s, MAX_NAMES - 1));
    poe_search_destroy(s);
    assert_string_equal(names[0], "2.1");
    assert_int_equal(n_names, 9);
}

static void test_a_run_is_made_anew(void **state)
{
    struct tree t = {.levels = 2, .n = {2, 2}, .shows = true, .shown = {0, 1}};
    struct poe_search_bounds all = {0};
    struct poe_search *s = poe_search_create(&all);
    n_names = 0;
    run(&t, s);
    poe_search_restart(s);
    t.shown[0] = 1; /* nothing of it is left */
    run(&t, s);
    assert_true(poe_search_backtrack(s));
    run(&t, s);
    poe_search_restart(s); /* but what it repeats */
    run(&t, s);
    poe_search_destroy(s);
    assert_names("0.1 1.1 1 1");
}

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

static void test_parts_make_each_run_once(void **state)
{
    static char whole[MAX_NAMES][32];
    const struct tree trees[] = {{.levels = 4, .n = {3, 5, 2, 4}},
                                 {.levels = 4, .n = {4, 1, 3, 2}, .raced = {true, true, false, true}},
                                 {.levels = 3, .n = {9, 7, 2}, .raced = {false, true, false}},
                                 {.levels = 3, .n = {6, 4, 3}, .shows = true, .shown = {2, 4, 1}}};
    for (unsigned seed = 1; seed <= 80; seed++) {
        const struct tree *t = &trees[seed % 4];
        unsigned random = seed;
        poe_search_destroy(explore_all(t, (struct poe_search_bounds){0}));
        unsigned n = n_names;
        memcpy(whole, names, sizeof whole);
        qsort(whole, n, sizeof whole[0], compare_names);
        explore_parts(t, &random);
        assert_in_range(n_parts, 2, MOST_PARTS);
        qsort(names, n_names, sizeof names[0], compare_names);
        assert_int_equal(n_names, n);
        for (unsigned i = 0; i < n; i++)
            assert_string_equal(names[i], whole[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mix_0_tries_each_alternative_alone),
        cmocka_unit_test(test_mix_1_combines_neighbours),
        cmocka_unit_test(test_mix_of_all_leaves_nothing_out),
        cmocka_unit_test(test_mix_grows_linearly),
        cmocka_unit_test(test_mix_does_not_count_single_alternatives),
        cmocka_unit_test(test_mix_and_later),
        cmocka_unit_test(test_a_loop_takes_its_first_alternative),
        cmocka_unit_test(test_walks_end_when_all_is_explored),
        cmocka_unit_test(test_walks_are_known_by_their_seed),
        cmocka_unit_test(test_walks_are_fair),
        cmocka_unit_test(test_walks_keep_to_the_other_bounds),
        cmocka_unit_test(test_walks_say_what_they_repeat),
        cmocka_unit_test(test_walks_notice_another_choice_point),
        cmocka_unit_test(test_estimate_of_an_even_tree_is_right_at_once),
        cmocka_unit_test(test_estimate_of_an_uneven_tree_is_right_in_the_end),
        cmocka_unit_test(test_estimate_stops),
        cmocka_unit_test(test_redundant_runs_are_no_interleavings),
        cmocka_unit_test(test_parts_make_each_run_once),
        cmocka_unit_test(test_what_was_shown_comes_first),
        cmocka_unit_test(test_walks_follow_what_is_shown),
        cmocka_unit_test(test_a_run_is_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
