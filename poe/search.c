/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of decisions: see search.h. An entry's alternatives are 0..n-1 and, once a race was
 * seen below it, n: *later*. */
#include "poe/search.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "walks.h"

struct poe_search {
    struct poe_search_bounds bounds;
    struct poe_decision *stack;
    uint32_t depth, room;
    unsigned prefix, known;
    unsigned root;                /* decisions that stay as they are: the subtree that is searched */
    double passed;                /* leaves that are in it no more */
    unsigned given;               /* decisions with which it began */
    double stands_for;            /* the present run: interleavings, 1 for its own */
    bool begun;                   /* ... has made a decision */
    double leaves;                /* the estimate, when the search is over */
    struct poe_left_out left_out; /* of what has left the stack */
    struct poe_walks walks;
    struct poe_factors factors;
};

struct poe_search *poe_search_create(const struct poe_search_bounds *bounds)
{
    struct poe_search *s = poe_alloc(NULL, sizeof *s);
    memset(s, 0, sizeof *s);
    s->stands_for = 1;
    if (bounds)
        s->bounds = *bounds;
    if (s->bounds.random)
        poe_walks_init(&s->walks, s->bounds.seed);
    return s;
}

void poe_search_destroy(struct poe_search *s)
{
    if (s) {
        for (uint32_t i = 0; i < s->depth; i++)
            free(s->stack[i].done.at);
        free(s->stack);
        poe_factors_finish(&s->factors);
        poe_walks_finish(&s->walks);
    }
    free(s);
}

/* ---- bounded mixing ---- */

/* Of the decision that will be put on the stack. */
static void set_distance(const struct poe_search *s, struct poe_decision *d)
{
    d->distance = s->depth ? poe_decision_distance(&s->stack[s->depth - 1]) : POE_NO_DISTANCE;
    d->too_far = s->bounds.mixed && d->distance != POE_NO_DISTANCE && d->distance >= s->bounds.mix;
}

/* ---- the stack ---- */

/* True: it is known, or cannot be (*k). Else it is on the stack now. */
static bool is_known(struct poe_search *s, unsigned number, const struct poe_decision *new, int *k)
{
    s->begun = true;
    *k = -1;
    if (number < s->depth) { /* a prefix that is run again must show the same choice points */
        const struct poe_decision *d = &s->stack[number];
        if (d->signature == new->signature && d->n == new->n)
            *k = (int)poe_decision_at(d);
        return true;
    }
    if (number != s->depth)
        return true;
    struct poe_decision d = *new;
    set_distance(s, &d);
    s->stack = poe_grow(s->stack, &s->room, s->depth + 1, sizeof *s->stack);
    s->stack[s->depth++] = d;
    return false;
}

int poe_search_next(struct poe_search *s, unsigned number, unsigned n, uint64_t signature, bool in_loop)
{
    int k;
    if (is_known(s, number, &(struct poe_decision){.signature = signature, .n = n, .in_loop = in_loop}, &k))
        return k;
    if (s->bounds.random)
        poe_walks_decide(&s->walks, s->stack, s->depth);
    return (int)poe_decision_at(&s->stack[number]);
}

int poe_search_follow(struct poe_search *s, unsigned number, unsigned n, uint64_t signature, bool in_loop,
                      unsigned shown)
{
    int k;
    bool later = shown == n;
    struct poe_decision d = {.signature = signature, .n = n, .in_loop = in_loop};
    d.raced = d.told = later; /* this part has it */
    d.shown = s->bounds.random ? 0 : shown;
    if (is_known(s, number, &d, &k))
        return k;
    if (s->bounds.random)
        poe_walks_follow(&s->walks, s->stack, s->depth, shown);
    return (int)shown;
}

void poe_search_restart(struct poe_search *s)
{
    for (uint32_t i = s->known; i < s->depth; i++)
        free(s->stack[i].done.at);
    s->depth = s->known < s->depth ? s->known : s->depth;
    s->stands_for = 1;
    s->begun = false;
}

void poe_search_classify(struct poe_search *s, unsigned number, uint64_t class, unsigned not_yet)
{
    if (number >= s->depth)
        return;
    s->stack[number].class = poe_factors_class(&s->factors, class);
    s->stack[number].not_yet = not_yet;
}

void poe_search_race(struct poe_search *s, unsigned number)
{
    if (number < s->depth)
        s->stack[number].raced = true;
}

void poe_search_redundant(struct poe_search *s) { s->stands_for = 0; }

void poe_search_stands_for(struct poe_search *s, double interleavings) { s->stands_for = interleavings; }

/* *Later* is tried first, and not last. */
static bool is_later_first(const struct poe_decision *d) { return d->shown == d->n; }

/* Its alternatives, up to which they are this search's. */
static unsigned end_of(const struct poe_decision *d, unsigned all)
{
    unsigned end = d->first && all > d->n && !is_later_first(d) ? d->n : all;
    return d->end && end > d->end ? d->end : end;
}

/* ... and the bounds leave them. */
static unsigned end_of_allowed(const struct poe_decision *d) { return end_of(d, poe_decision_allowed(d)); }

static bool has_more(const struct poe_decision *d) { return d->taken + 1 < end_of_allowed(d); }

/* Its alternatives in all, against those that were tried. */
static double expected(const struct poe_decision *d, double leaves, unsigned tried)
{
    return tried > d->first
               ? poe_leaves(leaves * (end_of(d, poe_decision_degree(d)) - d->first) / (tried - d->first))
               : 1;
}

void poe_decision_count(const struct poe_decision *d, struct poe_left_out *left)
{
    if (poe_decision_allowed(d) == poe_decision_degree(d))
        return;
    if (d->in_loop)
        left->loops++;
    else
        left->mixing++;
}

/* What a leaf of the subtree stands for: where the bounds leave alternatives of the fixed decisions out,
 * nobody else has them. */
static double weight(const struct poe_search *s, unsigned root)
{
    double weight = 1;
    for (unsigned i = 0; i < root; i++)
        if (poe_decision_allowed(&s->stack[i]) == 1)
            weight = poe_leaves(weight * poe_decision_degree(&s->stack[i]));
    return weight;
}

/* These leaves, below the root, are in the search no more. */
static void pass(struct poe_search *s, double leaves)
{
    s->passed = poe_leaves(s->passed + leaves * weight(s, s->root));
}

static bool backtrack(struct poe_search *s, double leaves)
{
    poe_factors_leaf(&s->factors, leaves);
    while (s->depth > s->root) {
        struct poe_decision *d = &s->stack[s->depth - 1];
        d->leaves = poe_leaves(d->leaves + leaves);
        poe_factors_add(&s->factors, d);
        if (has_more(d)) {
            d->taken++;
            s->prefix = s->known = s->depth;
            return true;
        }
        leaves = expected(d, d->leaves, d->taken + 1);
        poe_factors_close(&s->factors, d, end_of_allowed(d));
        poe_decision_count(d, &s->left_out);
        s->depth--;
    }
    s->prefix = s->known = s->depth;
    pass(s, leaves);
    poe_factors_pass(&s->factors, s->stack, s->root);
    s->leaves = s->passed;
    return false;
}

static bool walk_again(struct poe_search *s, double leaves)
{
    poe_walks_end(&s->walks, s->stack, s->depth, leaves);
    s->leaves = poe_leaves(poe_walks_leaves(&s->walks));
    s->depth = poe_walks_begin(&s->walks, &s->stack, &s->room, s->depth, &s->prefix);
    s->known = s->depth;
    return s->depth > 0;
}

bool poe_search_backtrack(struct poe_search *s)
{
    double leaves = s->stands_for;
    s->stands_for = 1;
    s->begun = false;
    return s->bounds.random ? walk_again(s, leaves) : backtrack(s, leaves);
}

/* ---- what there is ---- */

size_t poe_search_frontier(const struct poe_search *s)
{
    if (s->bounds.random)
        return poe_walks_open(&s->walks);
    size_t n = 0;
    for (uint32_t i = 0; i < s->depth; i++)
        n += has_more(&s->stack[i]);
    return n;
}

bool poe_search_is_open(const struct poe_search *s, unsigned number)
{
    if (number >= s->depth)
        return false;
    const struct poe_decision *d = &s->stack[number];
    return s->bounds.random ? poe_decision_allowed(d) > 1 : has_more(d);
}

unsigned poe_search_taken(const struct poe_search *s, unsigned number)
{
    return poe_decision_at(&s->stack[number]);
}

unsigned poe_search_depth(const struct poe_search *s) { return s->depth; }

unsigned poe_search_prefix(const struct poe_search *s) { return s->prefix; }

unsigned poe_search_known(const struct poe_search *s) { return s->known; }

struct poe_left_out poe_search_left_out(const struct poe_search *s)
{
    if (s->bounds.random)
        return s->walks.left_out;
    struct poe_left_out left = s->left_out;
    for (uint32_t i = s->root; i < s->depth; i++)
        poe_decision_count(&s->stack[i], &left);
    return left;
}

double poe_search_estimate(const struct poe_search *s)
{
    if (s->bounds.random || s->depth == s->root)
        return s->leaves;
    /* before the present run has begun, nothing is known of its last decision's alternative */
    const struct poe_decision *d = &s->stack[s->depth - 1];
    double leaves = s->begun ? expected(d, d->leaves + 1, d->taken + 1) : expected(d, d->leaves, d->taken);
    for (uint32_t i = s->depth - 1; i-- > s->root;)
        leaves = expected(&s->stack[i], s->stack[i].leaves + leaves, s->stack[i].taken + 1);
    return poe_leaves(s->passed + leaves * weight(s, s->root));
}

static void put_share(struct poe_share **list, uint32_t *room, uint32_t *n, uint64_t key, double leaves)
{
    *list = poe_grow(*list, room, *n + 1, sizeof **list);
    (*list)[(*n)++] = (struct poe_share){key, leaves};
}

/* Measures as a list; those of classes that are as `all` are left out. */
static uint32_t list_tally(const struct poe_factors *f, const struct poe_tally *t, struct poe_share **list)
{
    uint32_t n = 0, room = 0;
    *list = NULL;
    for (uint32_t i = 0; i < t->n; i++)
        if (i < POE_CLASS_FIRST && t->at[i] != 0)
            put_share(list, &room, &n, i, t->at[i]);
        else if (i >= POE_CLASS_FIRST && t->at[i] != t->at[POE_SHARE_ALL])
            put_share(list, &room, &n, f->keys[i - POE_CLASS_FIRST], t->at[i]);
    return n;
}

uint32_t poe_search_shares(struct poe_search *s, bool all, struct poe_share **shares)
{
    struct poe_factors *f = &s->factors;
    struct poe_tally sum;
    if (!all || s->bounds.random || s->depth == s->root)
        return list_tally(f, &f->passed, shares);
    /* as poe_search_estimate; the passed are put back as they were */
    poe_tally_copy(&sum, &f->passed);
    poe_factors_leaf(f, 1);
    for (uint32_t i = s->depth; i-- > s->root;)
        poe_factors_expect(f, &s->stack[i], end_of_allowed(&s->stack[i]), s->begun || i + 1 < s->depth);
    poe_factors_pass(f, s->stack, s->root);
    uint32_t n = list_tally(f, &f->passed, shares);
    free(f->passed.at);
    f->passed = sum;
    return n;
}

uint32_t poe_search_done(const struct poe_search *s, unsigned number, struct poe_share **shares)
{
    return list_tally(&s->factors, &s->stack[number].done, shares);
}

void poe_search_set_done(struct poe_search *s, unsigned number, const struct poe_share *shares, uint32_t n)
{
    if (number < s->depth)
        poe_factors_read(&s->factors, &s->stack[number].done, shares, n);
}

/* ---- subtrees ---- */

void poe_search_begin(struct poe_search *s, const struct poe_step *steps, unsigned n, unsigned root)
{
    s->stack = poe_grow(s->stack, &s->room, n + 1, sizeof *s->stack);
    for (unsigned i = 0; i < n; i++) {
        struct poe_decision d = {.signature = steps[i].signature,
                                 .n = steps[i].n,
                                 .taken = steps[i].taken,
                                 .shown = steps[i].shown,
                                 .first = steps[i].first,
                                 .end = steps[i].end,
                                 .leaves = poe_leaves(steps[i].leaves),
                                 .raced = steps[i].raced,
                                 .in_loop = steps[i].in_loop,
                                 .told = steps[i].raced};
        set_distance(s, &d);
        s->stack[s->depth++] = d;
    }
    s->prefix = s->known = s->given = n;
    s->root = root;
}

unsigned poe_search_root(const struct poe_search *s) { return s->root; }
struct poe_left_out poe_search_passed(const struct poe_search *s, double *leaves)
{
    *leaves = s->passed;
    return s->left_out;
}

unsigned poe_search_shared(const struct poe_search *s)
{
    unsigned n = s->root > s->given ? s->root : s->given;
    for (uint32_t i = n; i < s->depth; i++)
        if (s->stack[i].end)
            n = i + 1;
    return n;
}

struct poe_step poe_search_step(const struct poe_search *s, unsigned number)
{
    const struct poe_decision *d = &s->stack[number];
    return (struct poe_step){.signature = d->signature,
                             .leaves = d->leaves,
                             .n = d->n,
                             .taken = d->taken,
                             .shown = d->shown,
                             .first = d->first,
                             .end = d->end,
                             .raced = d->raced,
                             .in_loop = d->in_loop,
                             .allowed = poe_decision_allowed(d)};
}

/* The first decision that has more alternatives than the present one. */
static bool find_more(const struct poe_search *s, unsigned *number)
{
    unsigned at = s->root;
    while (at < s->prefix && !has_more(&s->stack[at]))
        at++;
    *number = at;
    return at < s->prefix;
}

/* Those before `root` leave the search. */
static void set_root(struct poe_search *s, unsigned root)
{
    for (; s->root < root; s->root++) {
        struct poe_decision *d = &s->stack[s->root];
        pass(s, d->leaves);
        poe_factors_pass_done(&s->factors, s->stack, s->root);
        poe_decision_count(d, &s->left_out);
        d->told = d->raced; /* *later* is given away with the other alternatives */
    }
}

bool poe_search_split(struct poe_search *s, unsigned *number)
{
    if (!find_more(s, number))
        return false;
    set_root(s, *number + 1);
    return true;
}

bool poe_search_halve(struct poe_search *s, struct poe_given *given)
{
    if (!find_more(s, &given->number))
        return false;
    struct poe_decision *d = &s->stack[given->number];
    unsigned end = end_of(d, poe_decision_allowed(d));
    given->later = end > d->n && !is_later_first(d);
    given->end = d->end;
    unsigned others = (given->later ? d->n : end) - d->taken - 1, kept = others / 2;
    given->from = d->taken + 1 + kept;
    if (kept == 0) {
        set_root(s, given->number + 1);
        return true;
    }
    set_root(s, given->number);
    d->end = given->from;
    d->told = d->raced;
    return true;
}

bool poe_search_next_race(struct poe_search *s, unsigned *number)
{
    for (unsigned i = 0; i < s->depth; i++) {
        struct poe_decision *d = &s->stack[i];
        if ((i >= s->root && !d->first && !d->end) || !d->raced || d->told || poe_decision_at(d) == d->n)
            continue;
        d->told = true;
        if (poe_decision_allowed(d) > 1) {
            *number = i;
            return true;
        }
        if (d->n == 1) /* else it was counted before */
            poe_decision_count(d, &s->left_out);
    }
    return false;
}

/* ---- names ---- */

char *poe_search_name(const struct poe_search *s)
{
    unsigned *choices = poe_alloc(NULL, (s->depth + 1) * sizeof *choices);
    for (uint32_t i = 0; i < s->depth; i++)
        choices[i] = poe_decision_at(&s->stack[i]);
    char *name = poe_choices_name(choices, s->depth);
    free(choices);
    return name;
}

/* Writes a decimal number; poe/ does without stdio. */
static char *put_number(char *at, unsigned value)
{
    char digits[10];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

char *poe_choices_name(const unsigned *choices, unsigned n)
{
    while (n && choices[n - 1] == 0)
        n--;
    char *name = poe_alloc(NULL, 24 * (size_t)n + 2);
    char *at = name;
    for (unsigned i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && choices[i + run] == choices[i]; run++)
            ;
        if (i)
            *at++ = '.';
        at = put_number(at, choices[i]);
        if (run <= 3) {
            run = 1;
            continue;
        }
        *at++ = '*';
        at = put_number(at, run);
    }
    if (!n)
        *at++ = '0';
    *at = '\0';
    return name;
}

int poe_choices_parse(const char *name, unsigned **choices)
{
    enum { MOST = 1 << 24 };
    unsigned *list = NULL;
    uint32_t n = 0, room = 0;
    const char *at = name;
    for (;;) {
        char *end;
        unsigned long choice = strtoul(at, &end, 10), times = 1;
        if (*at < '0' || *at > '9' || choice > MOST)
            break;
        at = end;
        if (*at == '*' && at[1] >= '0' && at[1] <= '9') {
            times = strtoul(at + 1, &end, 10);
            at = end;
        }
        if (times > MOST || n + times > MOST)
            break;
        list = poe_grow(list, &room, n + (uint32_t)times, sizeof *list);
        for (; times; times--)
            list[n++] = (unsigned)choice;
        if (!*at) {
            *choices = list;
            return (int)n;
        }
        if (*at++ != '.')
            break;
    }
    free(list);
    return -1;
}
