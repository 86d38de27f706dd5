/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fates, on random explorations: what a search keeps of its runs, a name on each side, must say where a
 * finding's first run parts at last from a run that finished without it; and a search in parts, put together
 * in any order, must keep the same.
 */
#include "case.h"

#include "findings/findings.h"
#include "findings/moment.h"
#include "poe/search.h"

enum { FINDINGS = 3, MOST_RUNS = 200, DEPTH = 4, EXPLORATIONS = 300 };

static const char *const keys[FINDINGS] = {"a", "b", "c"};

struct a_run {
    char *name;
    bool redundant, finished;
    bool shows[FINDINGS];
};

struct exploration {
    struct a_run runs[MOST_RUNS]; /* in the order of the search */
    int n;
};

static unsigned state_of_chance;

static int below(int n)
{
    state_of_chance = state_of_chance * 1103515245u + 12345u;
    return (int)(state_of_chance >> 16 & 0x7fff) % n;
}

/* All leaves below a prefix. */
static void grow(struct exploration *x, unsigned *choices, unsigned depth)
{
    int alternatives = depth < DEPTH ? below(4) : 0;
    for (int i = 0; i < alternatives; i++) {
        choices[depth] = (unsigned)i;
        grow(x, choices, depth + 1);
    }
    if (alternatives || x->n == MOST_RUNS)
        return;
    struct a_run *r = &x->runs[x->n++];
    *r = (struct a_run){.name = poe_choices_name(choices, depth), .redundant = below(10) == 0};
    r->finished = !r->redundant && below(10) < 7;
    for (int f = 0; f < FINDINGS; f++)
        r->shows[f] = below(6) < f + 1 || (choices[0] == 1 && f == 0);
}

static void exploration_finish(struct exploration *x)
{
    for (int i = 0; i < x->n; i++)
        free(x->runs[i].name);
}

static void make_run(struct sched_findings *all, const struct a_run *r, bool walk)
{
    sched_findings_begin_run(all);
    for (int f = 0; f < FINDINGS; f++) {
        struct sched_finding found = {
            .rule = ISP_RULE_DEADLOCK, .message = (char *)"m", .story = (char *)"", .interleaving = r->name};
        if (r->shows[f])
            sched_findings_add(all, keys[f], &found);
    }
    sched_findings_end_run(
        all, &(struct sched_run_end){
                 .name = r->name, .counts = !r->redundant, .finished = r->finished, .walk = walk});
}

static struct sched_findings *search(const struct exploration *x, int from, int to)
{
    struct sched_findings *all = sched_findings_create();
    for (int i = from; i < to; i++)
        make_run(all, &x->runs[i], false);
    return all;
}

/* By the definition: where `first` parts at last from a run that finished without it; -1: there is none. */
static int last_parting(const struct exploration *x, int f, const char *first)
{
    int last = -1;
    for (int i = 0; i < x->n; i++) {
        unsigned at;
        if (x->runs[i].finished && !x->runs[i].shows[f] &&
            sched_moment_parting(first, x->runs[i].name, &at) && (int)at > last)
            last = (int)at;
    }
    return last;
}

static bool is_run_without(const struct exploration *x, int f, const char *name)
{
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->runs[i].name, name) == 0 && x->runs[i].finished && !x->runs[i].shows[f])
            return true;
    return false;
}

static void check_by_definition(const struct exploration *x, const struct sched_findings *all)
{
    for (int f = 0; f < FINDINGS; f++) {
        const struct sched_finding *found = sched_findings_find(all, keys[f]);
        unsigned at;
        const char *other;
        uint64_t shown = 0;
        for (int i = 0; i < x->n; i++)
            shown += x->runs[i].shows[f] && !x->runs[i].redundant;
        if (!found) {
            assert_int_equal(shown, 0);
            continue;
        }
        assert_int_equal(found->fate->shown, shown);
        int wanted = last_parting(x, f, found->interleaving);
        bool is = sched_fate_parting(found->fate, found->interleaving, &at, &other);
        assert_int_equal(is ? (int)at : -1, wanted);
        if (is)
            assert_true(is_run_without(x, f, other));
    }
}

static bool merge_one(const struct sched_finding *f, const char *const *names, size_t n, void *into)
{
    sched_findings_merge(into, f, names, n);
    return true;
}

static void merge(struct sched_findings *into, struct sched_findings *more)
{
    sched_findings_meet(into, more);
    sched_findings_each(more, false, merge_one, into);
    sched_findings_destroy(more);
}

static void assert_same_name(const char *a, const char *b)
{
    assert_string_equal(a ? a : "none", b ? b : "none");
}

static void assert_same(const struct sched_findings *one, const struct sched_findings *parts)
{
    for (int f = 0; f < FINDINGS; f++) {
        const struct sched_finding *a = sched_findings_find(one, keys[f]),
                                   *b = sched_findings_find(parts, keys[f]);
        assert_int_equal(!a, !b);
        if (!a)
            continue;
        assert_string_equal(a->interleaving, b->interleaving);
        assert_int_equal(a->fate->shown, b->fate->shown);
        assert_same_name(a->fate->before, b->fate->before);
        assert_same_name(a->fate->after, b->fate->after);
    }
}

/* Cuts it into up to 6 parts, and puts them together, two at a time, in any order. */
static struct sched_findings *in_parts(const struct exploration *x)
{
    struct sched_findings *parts[6];
    int n = 0, from = 0;
    while (from < x->n && n < 6) {
        int to = n == 5 ? x->n : from + 1 + below(x->n - from);
        parts[n++] = search(x, from, to);
        from = to;
    }
    while (n > 1) {
        int a = below(n), b = below(n - 1);
        b += b >= a;
        merge(parts[a], parts[b]);
        parts[b] = parts[--n];
        /* if that was parts[a] it has moved to b */
    }
    return parts[0];
}

static void explore_at_random(struct exploration *x)
{
    unsigned choices[DEPTH + 1] = {0};
    do {
        exploration_finish(x);
        x->n = 0;
        grow(x, choices, 0);
    } while (x->n < 2);
}

static void test_one_search(void **state)
{
    struct exploration x = {.n = 0};
    for (state_of_chance = 1; state_of_chance <= EXPLORATIONS;) {
        unsigned seed = state_of_chance;
        explore_at_random(&x);
        struct sched_findings *one = search(&x, 0, x.n);
        check_by_definition(&x, one);
        sched_findings_destroy(one);
        state_of_chance = seed + 1;
    }
    exploration_finish(&x);
}

static void test_in_parts(void **state)
{
    struct exploration x = {.n = 0};
    for (state_of_chance = 1; state_of_chance <= EXPLORATIONS;) {
        unsigned seed = state_of_chance;
        explore_at_random(&x);
        struct sched_findings *one = search(&x, 0, x.n), *parts = in_parts(&x);
        assert_same(one, parts);
        sched_findings_destroy(one);
        sched_findings_destroy(parts);
        state_of_chance = seed + 1;
    }
    exploration_finish(&x);
}

/* In any order: the first run with a finding is the one that came first. */
static void test_random_walks(void **state)
{
    struct exploration x = {.n = 0};
    for (state_of_chance = 1; state_of_chance <= EXPLORATIONS;) {
        unsigned seed = state_of_chance;
        explore_at_random(&x);
        for (int i = x.n - 1; i > 0; i--) {
            int k = below(i + 1);
            struct a_run r = x.runs[i];
            x.runs[i] = x.runs[k];
            x.runs[k] = r;
        }
        struct sched_findings *all = sched_findings_create();
        for (int i = 0; i < x.n; i++)
            make_run(all, &x.runs[i], true);
        check_by_definition(&x, all);
        sched_findings_destroy(all);
        state_of_chance = seed + 1;
    }
    exploration_finish(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_search),
        cmocka_unit_test(test_in_parts),
        cmocka_unit_test(test_random_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
