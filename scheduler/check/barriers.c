/* SPDX-License-Identifier: BSD-3-Clause */
/* See barriers.h. Groups that meet only in a later run count as mattering: no run was looked at without both. */
#include "barriers.h"

#include <stdlib.h>

#include "alloc.h"
#include "isp/functions.h"
#include "words.h"

static struct sched_barrier *find(struct sched_barriers *b, uint32_t site)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->all[i].site == site)
            return &b->all[i];
    return NULL;
}

static void set_matters(struct sched_barriers *b, uint32_t group)
{
    for (size_t i = 0; i < b->n; i++)
        b->all[i].matters |= b->all[i].group == group;
}

/* The group that the run's group was in before; if it is new, its first site. */
static uint32_t group_of(struct sched_barriers *b, const struct poe_barrier *all, unsigned n, uint32_t group)
{
    uint32_t name = 0;
    bool known = false;
    for (unsigned i = 0; i < n; i++) {
        const struct sched_barrier *other = all[i].group == group ? find(b, all[i].site) : NULL;
        if (!other || (known && other->group == name))
            continue;
        if (known) {
            set_matters(b, name);
            set_matters(b, other->group);
        }
        name = other->group;
        known = true;
    }
    for (unsigned i = 0; i < n && !known; i++)
        if (all[i].group == group)
            return all[i].site;
    return name;
}

static void take(struct sched_barriers *b, const struct poe_barrier *barrier, uint32_t group)
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
        known->ranks[rank] |= barrier->ranks[rank / 64] >> (rank % 64) & 1;
    if (barrier->matters)
        set_matters(b, group);
}

void sched_barriers_take(struct sched_barriers *b, const struct sched_run *run, bool finished)
{
    const struct poe_barrier *all;
    unsigned n;
    b->ranks = run->options->ranks;
    b->unclear |= !poe_barriers(run->poe, &all, &n) || !finished;
    for (unsigned i = 0; i < n && !b->unclear; i++)
        take(b, &all[i], group_of(b, all, n, all[i].group));
}

/* ---- telling ---- */

static void report(const struct sched_barriers *b, struct sched_run *run, uint32_t group)
{
    int *ranks = sched_alloc((size_t)b->ranks, sizeof *ranks);
    struct sched_site_ref *sites = sched_alloc(b->n, sizeof *sites);
    size_t n_ranks = 0, n_sites = 0;
    char *story = sched_strdup("every receive, probe, wait and test has the same possible matches without it\n"
                               "what MPI does not see may need it all the same: files, output, measured time\n");
    for (size_t i = 0; i < b->n; i++) {
        if (b->all[i].group != group)
            continue;
        if (n_sites) {
            char *place = sched_words_place(run, b->all[i].site);
            sched_words_add(&story, "other ranks are in it by the call at %s\n", place);
            free(place);
        }
        sites[n_sites++] = (struct sched_site_ref){.rank = -1, .fn = ISP_FN_MPI_Barrier, .site = b->all[i].site};
    }
    for (int rank = 0; rank < b->ranks; rank++) {
        bool called = false;
        for (size_t i = 0; i < b->n; i++)
            called |= b->all[i].group == group && b->all[i].ranks[rank];
        if (called)
            ranks[n_ranks++] = rank;
    }
    struct sched_finding finding = {.rule = ISP_RULE_IRRELEVANT_BARRIER, .message = (char *)"this barrier orders nothing that could match otherwise",
                                    .story = story, .ranks = ranks, .n_ranks = n_ranks, .sites = sites, .n_sites = n_sites,
                                    .count = 1};
    char *key = sched_format("barrier %u", group);
    sched_findings_add(run->findings, key, &finding);
    free(key);
    free(story);
    free(ranks);
    free(sites);
}

void sched_barriers_report(const struct sched_barriers *b, struct sched_run *run)
{
    for (size_t i = 0; i < b->n && !b->unclear; i++)
        if (b->all[i].group == b->all[i].site && !b->all[i].matters)
            report(b, run, b->all[i].group);
}

void sched_barriers_finish(struct sched_barriers *b)
{
    for (size_t i = 0; i < b->n; i++)
        free(b->all[i].ranks);
    free(b->all);
}
