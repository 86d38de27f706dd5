/* SPDX-License-Identifier: BSD-3-Clause */
/* See barriers.h. Groups that meet only in a later run count as mattering: no run was looked at without
 * both. */
#include "barriers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "findings/moment.h"

static void finish_run(struct sched_barrier_run *run)
{
    for (size_t i = 0; i < run->n; i++)
        free(run->all[i].ranks);
    free(run->all);
    free(run->interleaving);
}

static bool same(const struct sched_barrier_run *a, const struct sched_barrier_run *b, int ranks)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->all[i].site == b->all[i].site && a->all[i].group == b->all[i].group &&
               a->all[i].matters == b->all[i].matters &&
               memcmp(a->all[i].ranks, b->all[i].ranks, (size_t)ranks * sizeof *a->all[i].ranks) == 0;
    return same;
}

static struct sched_moment moment_of(const struct sched_barrier_run *run)
{
    return (struct sched_moment){run->buffered, run->interleaving};
}

void sched_barriers_add(struct sched_barriers *b, struct sched_barrier_run *run, int ranks)
{
    for (size_t i = 0; i < b->n_runs; i++) {
        struct sched_barrier_run *known = &b->runs[i];
        if (!same(known, run, ranks))
            continue;
        bool earlier = sched_moment_compare(moment_of(run), moment_of(known)) < 0;
        finish_run(earlier ? known : run);
        if (earlier)
            *known = *run;
        return;
    }
    b->runs = sched_grow(b->runs, b->n_runs + 1, sizeof *b->runs);
    b->runs[b->n_runs++] = *run;
}

void sched_barriers_take(struct sched_barriers *b, const struct sched_run *run, bool finished)
{
    const struct poe_barrier *all;
    unsigned n;
    b->unclear |= !poe_barriers(run->poe, &all, &n) || !finished;
    if (b->unclear || n == 0)
        return;
    struct sched_barrier_run seen = {.all = sched_alloc(n, sizeof *seen.all),
                                     .n = n,
                                     .buffered = run->buffered,
                                     .interleaving = sched_strdup(run->interleaving)};
    int ranks = run->options->ranks;
    for (unsigned i = 0; i < n; i++) {
        seen.all[i] = (struct sched_barrier){.site = all[i].site,
                                             .group = all[i].group,
                                             .matters = all[i].matters,
                                             .ranks = sched_alloc((size_t)ranks, sizeof(bool))};
        for (int rank = 0; rank < ranks; rank++)
            seen.all[i].ranks[rank] = all[i].ranks[rank / 64] >> (rank % 64) & 1;
    }
    sched_barriers_add(b, &seen, ranks);
}

/* ---- all runs together ---- */

/* What is known of each call site after some runs; a group's name is its first site. */
struct groups {
    struct sched_barrier *all;
    size_t n;
    int ranks;
};

static struct sched_barrier *find(const struct groups *b, uint32_t site)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->all[i].site == site)
            return &b->all[i];
    return NULL;
}

static void set_matters(struct groups *b, uint32_t group)
{
    for (size_t i = 0; i < b->n; i++)
        b->all[i].matters |= b->all[i].group == group;
}

/* The group that the run's group was in before; if it is new, its first site. */
static uint32_t group_of(struct groups *b, const struct sched_barrier_run *run, uint32_t group)
{
    uint32_t name = 0;
    bool known = false;
    for (size_t i = 0; i < run->n; i++) {
        const struct sched_barrier *other = run->all[i].group == group ? find(b, run->all[i].site) : NULL;
        if (!other || (known && other->group == name))
            continue;
        if (known) {
            set_matters(b, name);
            set_matters(b, other->group);
        }
        name = other->group;
        known = true;
    }
    for (size_t i = 0; i < run->n && !known; i++)
        if (run->all[i].group == group)
            return run->all[i].site;
    return name;
}

static void take(struct groups *b, const struct sched_barrier *barrier, uint32_t group)
{
    struct sched_barrier *known = find(b, barrier->site);
    if (!known) {
        b->all = sched_grow(b->all, b->n + 1, sizeof *b->all);
        known = &b->all[b->n++];
        *known = (struct sched_barrier){.site = barrier->site, .group = group};
        known->ranks = sched_alloc((size_t)b->ranks, sizeof *known->ranks);
        for (size_t i = 0; i < b->n; i++)
            known->matters |= b->all[i].group == group && b->all[i].matters;
    }
    for (int rank = 0; rank < b->ranks; rank++)
        known->ranks[rank] |= barrier->ranks[rank];
    if (barrier->matters)
        set_matters(b, group);
}

static int by_moment(const void *a, const void *b)
{
    return sched_moment_compare(moment_of(a), moment_of(b));
}

/* In the order of the search. */
static struct groups groups_of(const struct sched_barriers *b, int ranks)
{
    struct groups groups = {.ranks = ranks};
    if (b->n_runs)
        qsort(b->runs, b->n_runs, sizeof *b->runs, by_moment);
    for (size_t i = 0; i < b->n_runs; i++)
        for (size_t k = 0; k < b->runs[i].n; k++)
            take(&groups, &b->runs[i].all[k], group_of(&groups, &b->runs[i], b->runs[i].all[k].group));
    return groups;
}

/* ---- telling ---- */

static bool is_caller(const struct groups *b, uint32_t group, int rank)
{
    bool called = false;
    for (size_t i = 0; i < b->n; i++)
        called |= b->all[i].group == group && b->all[i].ranks[rank];
    return called;
}

static void report(const struct groups *b, struct sched_run *run, uint32_t group)
{
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_IRRELEVANT_BARRIER);
    sched_draft_message(d, "this barrier orders nothing that could match otherwise");
    sched_draft_line(d, "every receive, probe, wait and test has the same possible matches without it");
    sched_draft_line(d, "what MPI does not see may need it all the same: files, output, measured time");
    bool first = true;
    for (size_t i = 0; i < b->n; i++) {
        if (b->all[i].group != group)
            continue;
        if (!first)
            sched_draft_line(d, "other ranks are in it by the call at %s",
                             sched_draft_place(d, b->all[i].site));
        first = false;
        sched_draft_site(d, -1, ISP_FN_MPI_Barrier, b->all[i].site);
    }
    for (int rank = 0; rank < b->ranks; rank++)
        if (is_caller(b, group, rank))
            sched_draft_rank(d, rank);
    sched_draft_key(d, "barrier " SCHED_KEY_SITE, group);
    sched_draft_end(d);
}

void sched_barriers_report(const struct sched_barriers *b, struct sched_run *run)
{
    if (b->unclear)
        return;
    struct groups groups = groups_of(b, run->options->ranks);
    for (size_t i = 0; i < groups.n; i++)
        if (groups.all[i].group == groups.all[i].site && !groups.all[i].matters)
            report(&groups, run, groups.all[i].group);
    for (size_t i = 0; i < groups.n; i++)
        free(groups.all[i].ranks);
    free(groups.all);
}

void sched_barriers_finish(struct sched_barriers *b)
{
    for (size_t i = 0; i < b->n_runs; i++)
        finish_run(&b->runs[i]);
    free(b->runs);
    *b = (struct sched_barriers){0};
}
