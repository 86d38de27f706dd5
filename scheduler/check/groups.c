/* SPDX-License-Identifier: BSD-3-Clause */
/* See groups.h. Live transitions come in rank and program order, so members do as well. */
#include "groups.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "story.h"
#include "words/words.h"

static struct sched_group *group_of(struct sched_groups *groups, const struct isp_call *call)
{
    for (size_t i = 0; i < groups->n; i++)
        if (groups->groups[i].site == call->site && groups->groups[i].fn == call->fn)
            return &groups->groups[i];
    groups->groups = sched_grow(groups->groups, groups->n + 1, sizeof *groups->groups);
    groups->groups[groups->n] = (struct sched_group){.fn = call->fn, .site = call->site};
    return &groups->groups[groups->n++];
}

void sched_groups_add(struct sched_groups *groups, const struct poe_transition *t)
{
    struct sched_group *g = group_of(groups, &t->call);
    g->members = sched_grow(g->members, g->n + 1, sizeof *g->members);
    g->members[g->n++] = t;
}

void sched_groups_finish(struct sched_groups *groups)
{
    for (size_t i = 0; i < groups->n; i++)
        free(groups->groups[i].members);
    free(groups->groups);
    *groups = (struct sched_groups){0};
}

void sched_group_report(struct sched_run *run, const struct sched_group *group, enum isp_rule rule,
                        const char *message, uint64_t count,
                        char *(*tell)(const struct sched_run *, const struct poe_transition *))
{
    int *ranks = sched_alloc(group->n, sizeof *ranks);
    struct sched_site_ref *sites = sched_alloc(group->n, sizeof *sites);
    size_t n = 0;
    struct sched_story *story = sched_story_create(run);
    for (size_t i = 0; i < group->n; i++) {
        const struct poe_transition *t = group->members[i];
        sched_story_row(story, t->rank, &t->call, tell ? tell(run, t) : NULL);
        if (n && ranks[n - 1] == t->rank)
            continue;
        ranks[n] = t->rank;
        sites[n++] = (struct sched_site_ref){.rank = t->rank, .fn = t->call.fn, .site = t->call.site};
    }
    struct sched_finding finding = {.rule = rule,
                                    .message = (char *)message,
                                    .story = sched_story_end(story),
                                    .interleaving = (char *)run->interleaving,
                                    .buffered = run->buffered,
                                    .ranks = ranks,
                                    .n_ranks = n,
                                    .sites = sites,
                                    .n_sites = n,
                                    .count = count};
    char *key = sched_format("%s %u:" SCHED_KEY_SITE, sched_rule_id(rule), group->fn, group->site);
    sched_findings_add(run->findings, key, &finding);
    free(key);
    free(finding.story);
    free(ranks);
    free(sites);
}
