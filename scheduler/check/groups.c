/* SPDX-License-Identifier: BSD-3-Clause */
/* See groups.h. Live transitions come in rank and program order, so members do as well. */
#include "groups.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct sched_group *group_of(struct sched_groups *groups, const struct isp_call *call)
{
    for (size_t i = 0; i < groups->n; i++)
        if (groups->groups[i].fn == call->fn &&
            sched_sites_are_alike(groups->sites, groups->groups[i].site, call->site))
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

bool sched_group_next_rank(const struct sched_group *group, size_t i)
{
    return i == 0 || group->members[i - 1]->rank != group->members[i]->rank;
}

/* What makes the finding of a member the same as another. Caller frees. */
static char *key_of(enum isp_rule rule, const struct poe_transition *t)
{
    return sched_format("%s %u:" SCHED_KEY_SITE, sched_rule_id(rule), t->call.fn, t->call.site);
}

struct sched_draft *sched_group_draft(struct sched_run *run, const struct sched_group *group,
                                      enum isp_rule rule,
                                      char *(*tell)(const struct sched_run *, const struct poe_transition *))
{
    struct sched_draft *d = sched_draft_create(run, rule);
    for (size_t i = 0; i < group->n; i++) {
        const struct poe_transition *t = group->members[i];
        sched_draft_row(d, t->rank, &t->call, tell(run, t));
        if (sched_group_next_rank(group, i))
            sched_draft_at(d, t);
    }
    char *key = key_of(rule, group->members[0]);
    for (size_t i = 1; i < group->n && !sched_findings_find(run->findings, key); i++) {
        char *other = key_of(rule, group->members[i]);
        if (sched_findings_find(run->findings, other)) { /* it came alone in an interleaving before */
            free(key);
            key = other;
        } else
            free(other);
    }
    sched_draft_key(d, "%s", key);
    free(key);
    return d;
}

void sched_group_end(struct sched_run *run, const struct sched_group *group, struct sched_draft *draft)
{
    struct sched_finding *entry = sched_draft_end(draft);
    for (size_t i = 0; i < group->n; i++)
        if (i == 0 || group->members[i]->call.site != group->members[i - 1]->call.site) {
            char *key = key_of(entry->rule, group->members[i]);
            sched_findings_alias(run->findings, key, entry);
            free(key);
        }
}
