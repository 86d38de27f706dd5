/* SPDX-License-Identifier: BSD-3-Clause */
/* See groups.h. Live transitions come in rank and program order, so members do as well. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct sched_group *group_of(struct sched_groups *groups, const struct isp_call *call)
{
    const struct sched_run *run = groups->run;
    char *name = sched_sites_call(run->sites, call->site, run->options->stacks);
    if (!name)
        name = sched_format("%u", call->site);
    for (size_t i = 0; i < groups->n; i++)
        if (groups->groups[i].fn == call->fn && strcmp(groups->groups[i].call, name) == 0) {
            free(name);
            return &groups->groups[i];
        }
    groups->groups = sched_grow(groups->groups, groups->n + 1, sizeof *groups->groups);
    groups->groups[groups->n] = (struct sched_group){.fn = call->fn, .call = name};
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
    for (size_t i = 0; i < groups->n; i++) {
        free(groups->groups[i].call);
        free(groups->groups[i].members);
    }
    free(groups->groups);
    *groups = (struct sched_groups){0};
}

bool sched_group_is_new(const struct sched_group *group, size_t i)
{
    for (size_t k = i; k > 0 && group->members[k - 1]->rank == group->members[i]->rank; k--)
        if (group->members[k - 1]->call.site == group->members[i]->call.site)
            return false;
    return true;
}

struct sched_draft *sched_group_draft(struct sched_run *run, const struct sched_group *group,
                                      enum isp_rule rule,
                                      char *(*tell)(const struct sched_run *, const struct poe_transition *))
{
    struct sched_draft *d = sched_draft_create(run, rule);
    for (size_t i = 0; i < group->n; i++) {
        const struct poe_transition *t = group->members[i];
        sched_draft_row(d, t->rank, &t->call, tell(run, t));
        if (sched_group_is_new(group, i))
            sched_draft_at(d, t);
    }
    sched_draft_key(d, "%s", sched_rule_id(rule));
    sched_draft_key_call(d, group->fn, group->members[0]->call.site);
    return d;
}
