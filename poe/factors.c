/* SPDX-License-Identifier: BSD-3-Clause */
/* See factors.h. A decision passes on what is below it, alternative by alternative; where a measure cuts the
 * alternative, nothing. */
#include "factors.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "walks.h"

enum { MIXES = 3 };

/* Slots below those of classes. Which of NEAR and MIX counts depends on the decisions above. */
enum slot {
    ALL = POE_SHARE_ALL,
    NO_POLLS = POE_SHARE_NO_POLLS,
    NEAR = POE_SHARE_MIX_0, /* + r: an alternative was taken; it may be mixed with the next r choice points */
    MIX = NEAR + MIXES,     /* + K: first alternatives only, so far; done.at: the first as such, the others
                               are those of NEAR + K */
    POLLS = MIX + MIXES,    /* done.at only: NO_POLLS, `not yet`s included */
    SUM = POLLS + 1,        /* done.at only: NEAR + r, of all alternatives */
    CLASSES = POE_CLASS_FIRST
};

void poe_factors_finish(struct poe_factors *f)
{
    free(f->now.at);
    free(f->passed.at);
    free(f->scratch.at);
}

uint16_t poe_factors_class(struct poe_factors *f, uint64_t key)
{
    if (key < POE_CLASS_FIRST)
        return 0;
    uint32_t i = 0;
    while (i < f->n && f->keys[i] != key)
        i++;
    if (i == POE_CLASSES_MOST)
        return 0;
    f->keys[i] = key;
    f->n += i == f->n;
    return (uint16_t)(i + 1);
}

/* ---- tallies ---- */

/* Room for all classes. */
static void extend(const struct poe_factors *f, struct poe_tally *t)
{
    uint32_t n = CLASSES + f->n;
    if (t->n >= n)
        return;
    double *at = realloc(t->at, n * sizeof *at);
    if (!at)
        abort();
    if (!t->n)
        memset(at, 0, n * sizeof *at);
    for (uint32_t i = t->n ? t->n : CLASSES; i < n; i++)
        at[i] = at[ALL];
    *t = (struct poe_tally){at, n};
}

void poe_tally_copy(struct poe_tally *to, const struct poe_tally *from)
{
    *to = (struct poe_tally){0};
    if (!from->n)
        return;
    *to = (struct poe_tally){poe_alloc(NULL, from->n * sizeof *to->at), from->n};
    memcpy(to->at, from->at, from->n * sizeof *to->at);
}

static void plus(double *sum, double leaves) { *sum = poe_leaves(*sum + leaves); }

void poe_factors_read(struct poe_factors *f, struct poe_tally *t, const struct poe_share *shares, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        poe_factors_class(f, shares[i].key);
    extend(f, t);
    for (uint32_t i = 0; i < n; i++)
        if (shares[i].key < CLASSES)
            t->at[shares[i].key] = poe_leaves(shares[i].leaves);
    for (uint32_t k = 0; k < f->n; k++)
        t->at[CLASSES + k] = t->at[ALL];
    for (uint32_t i = 0; i < n; i++) {
        uint16_t class = poe_factors_class(f, shares[i].key);
        if (class)
            t->at[CLASSES + class - 1] = poe_leaves(shares[i].leaves);
    }
}

/* ---- a decision ---- */

/* Bounds leave it one alternative, or it has but one: all measures are those below it. */
static bool is_single(const struct poe_decision *d) { return poe_decision_allowed(d) == 1; }

/* "No polls" leaves this alternative out. */
static bool is_no(const struct poe_decision *d, unsigned k)
{
    return d->not_yet == k + 1 && poe_decision_degree(d) > 1;
}

/* Adds what is below the decision's present alternative. */
static void add(const struct poe_factors *f, const struct poe_decision *d, struct poe_tally *to)
{
    const double *now = f->now.at;
    double *sum = to->at;
    bool first = d->taken == 0;
    plus(&sum[ALL], now[ALL]);
    plus(&sum[NO_POLLS], is_no(d, d->taken) ? 0 : now[NO_POLLS]);
    plus(&sum[POLLS], now[NO_POLLS]);
    for (unsigned r = 0; r < MIXES; r++) {
        unsigned left = d->n > 1 ? r - 1 : r; /* choice points with one alternative do not count */
        plus(&sum[SUM + r], now[NEAR + r]);
        plus(&sum[NEAR + r], r ? now[NEAR + left] : first ? now[NEAR] : 0);
        plus(&sum[MIX + r], now[(first ? MIX : NEAR) + r]);
    }
    for (uint32_t k = 0; k < f->n; k++)
        plus(&sum[CLASSES + k], d->class == k + 1 && !first ? 0 : now[CLASSES + k]);
}

/* What is expected of all alternatives of this part, d->first to `end`, of which those before `tried` are
 * done and in the sum: into now. */
static void expect(struct poe_factors *f, const struct poe_decision *d, const double *sum, unsigned tried,
                   unsigned end)
{
    extend(f, &f->now);
    double *now = f->now.at;
    double done = tried - d->first, open = end > tried ? end - tried : 0, scale = (done + open) / done;
    bool no_done = d->not_yet > d->first && d->not_yet <= tried && is_no(d, d->not_yet - 1),
         no_open = d->not_yet > tried && d->not_yet <= end && is_no(d, d->not_yet - 1);
    double yes = done - no_done, answers = done + open - no_done - no_open;
    now[ALL] = poe_leaves(sum[ALL] * scale);
    /* nothing but a `not yet` was tried: the others are as what is below it */
    now[NO_POLLS] = poe_leaves(yes > 0 ? sum[NO_POLLS] * (answers / yes) : sum[POLLS] * answers);
    for (unsigned r = 0; r < MIXES; r++) {
        now[NEAR + r] = r ? poe_leaves(sum[NEAR + r] * scale) : sum[NEAR];
        now[MIX + r] = poe_leaves(sum[MIX + r] + sum[SUM + r] * (open / done));
    }
    for (uint32_t k = 0; k < f->n; k++)
        now[CLASSES + k] = d->class == k + 1 ? sum[CLASSES + k] : poe_leaves(sum[CLASSES + k] * scale);
}

/* ---- the search ---- */

void poe_factors_leaf(struct poe_factors *f, double leaves)
{
    extend(f, &f->now);
    for (uint32_t i = 0; i < f->now.n; i++)
        f->now.at[i] = leaves;
}

void poe_factors_add(struct poe_factors *f, struct poe_decision *d)
{
    if (is_single(d))
        return;
    extend(f, &f->now);
    extend(f, &d->done);
    add(f, d, &d->done);
}

void poe_factors_close(struct poe_factors *f, struct poe_decision *d, unsigned end)
{
    if (!is_single(d))
        expect(f, d, d->done.at, d->taken + 1, end);
    free(d->done.at);
    d->done = (struct poe_tally){0};
}

void poe_factors_expect(struct poe_factors *f, const struct poe_decision *d, unsigned end, bool child)
{
    unsigned tried = d->taken + child;
    if (is_single(d))
        return;
    if (tried <= d->first) {
        poe_factors_leaf(f, 1);
        return;
    }
    struct poe_tally *sum = &f->scratch;
    extend(f, &f->now);
    extend(f, sum);
    memset(sum->at, 0, sum->n * sizeof *sum->at);
    if (d->done.n) {
        memcpy(sum->at, d->done.at, d->done.n * sizeof *sum->at);
        for (uint32_t i = d->done.n; i < sum->n; i++)
            sum->at[i] = sum->at[ALL];
    }
    if (child)
        add(f, d, sum);
    expect(f, d, sum->at, tried, end);
}

/* ---- what is in the search no more ---- */

/* Adds these measures, below the decisions of the prefix, to those of the whole tree. */
static void pass(struct poe_factors *f, const double *from, const struct poe_decision *prefix, unsigned n)
{
    bool cut[POE_CLASSES_MOST] = {false}, no = false;
    unsigned least = 0; /* mixing that keeps the prefix */
    for (unsigned i = 0; i < n; i++) {
        if (prefix[i].taken && prefix[i].distance != POE_NO_DISTANCE && prefix[i].distance >= least)
            least = prefix[i].distance + 1;
        if (prefix[i].class && prefix[i].taken)
            cut[prefix[i].class - 1] = true;
        no = no || is_no(&prefix[i], prefix[i].taken);
    }
    uint32_t distance = n ? poe_decision_distance(&prefix[n - 1]) : (uint32_t)POE_NO_DISTANCE;
    extend(f, &f->passed);
    double *passed = f->passed.at;
    plus(&passed[ALL], from[ALL]);
    plus(&passed[NO_POLLS], no ? 0 : from[NO_POLLS]);
    for (unsigned mix = least; mix < MIXES; mix++)
        plus(&passed[POE_SHARE_MIX_0 + mix], distance == POE_NO_DISTANCE ? from[MIX + mix]
                                             : distance < mix            ? from[NEAR + mix - distance]
                                                                         : from[NEAR]);
    for (uint32_t k = 0; k < f->n; k++)
        plus(&passed[CLASSES + k], cut[k] ? 0 : from[CLASSES + k]);
}

void poe_factors_pass(struct poe_factors *f, const struct poe_decision *prefix, unsigned n)
{
    extend(f, &f->now);
    pass(f, f->now.at, prefix, n);
}

void poe_factors_pass_done(struct poe_factors *f, const struct poe_decision *prefix, unsigned n)
{
    struct poe_tally all;
    if (!prefix[n].done.n)
        return;
    poe_tally_copy(&all, &prefix[n].done);
    extend(f, &all);
    pass(f, all.at, prefix, n);
    free(all.at);
}
