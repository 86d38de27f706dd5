/* SPDX-License-Identifier: BSD-3-Clause */
/* A site is looked up once; most choices of a program come from few sites. */
#include "loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum answer { UNKNOWN, OUTSIDE, INSIDE };

struct sched_loops {
    char *const *names; /* of functions; NULL at the end */
    bool *met;          /* by name */
    struct sched_sites *sites;
    uint8_t *answers; /* enum answer, by site */
    uint32_t n_answers;
};

struct sched_loops *sched_loops_create(const struct sched_options *options, struct sched_sites *sites)
{
    struct sched_loops *l = sched_alloc(1, sizeof *l);
    size_t n = 0;
    while (options->loops && options->loops[n])
        n++;
    *l = (struct sched_loops){
        .names = options->loops, .sites = sites, .met = sched_alloc(n + 1, sizeof *l->met)};
    return l;
}

void sched_loops_destroy(struct sched_loops *loops)
{
    if (loops) {
        free(loops->met);
        free(loops->answers);
    }
    free(loops);
}

static bool is_named(struct sched_loops *l, uint32_t site)
{
    bool found = false;
    for (size_t i = 0; l->names[i]; i++)
        if (sched_sites_is_in(l->sites, site, l->names[i]))
            found = l->met[i] = true;
    return found;
}

static enum answer look_up(struct sched_loops *l, uint32_t site)
{
    uint32_t n;
    const uint32_t *callers = sched_sites_callers(l->sites, site, &n);
    bool found = is_named(l, site);
    for (uint32_t i = 0; i < n; i++)
        found |= is_named(l, callers[i]);
    return found ? INSIDE : OUTSIDE;
}

bool sched_loops_have(struct sched_loops *l, const struct poe_choice *choice)
{
    uint32_t site = choice->transition->call.site;
    if (choice->transition->call.flags & ISP_F_LOOP)
        return true;
    if (!l->names)
        return false;
    if (site >= l->n_answers) {
        l->answers = sched_grow(l->answers, 2 * (size_t)site + 1, sizeof *l->answers);
        memset(l->answers + l->n_answers, UNKNOWN, 2 * (size_t)site + 1 - l->n_answers);
        l->n_answers = 2 * site + 1;
    }
    if (!l->answers[site])
        l->answers[site] = (uint8_t)look_up(l, site);
    return l->answers[site] == INSIDE;
}

uint64_t sched_loops_met(const struct sched_loops *l)
{
    uint64_t met = 0;
    for (size_t i = 0; l->names && l->names[i] && i < 64; i++)
        met |= (uint64_t)l->met[i] << i;
    return met;
}

void sched_loops_add_met(struct sched_loops *l, uint64_t met)
{
    for (size_t i = 0; l->names && l->names[i] && i < 64; i++)
        l->met[i] |= met >> i & 1;
}

const char *sched_loops_unmet(const struct sched_loops *l)
{
    for (size_t i = 0; l->names && l->names[i]; i++)
        if (!l->met[i])
            return l->names[i];
    return NULL;
}
