/* SPDX-License-Identifier: BSD-3-Clause */
/* Transitions of which the same is to be said, gathered by the call in the source: one finding for it,
 * however many ranks and messages there are, and calls that the compiler has made of it. */
#ifndef SCHED_CHECK_GROUPS_H
#define SCHED_CHECK_GROUPS_H

#include "check.h"

struct sched_group {
    uint16_t fn;
    char *call; /* sched_sites_call, with callers if the user wants to see them */
    const struct poe_transition **members;
    size_t n;
};

struct sched_groups {
    const struct sched_run *run;
    struct sched_group *groups;
    size_t n;
};

void sched_groups_add(struct sched_groups *groups, const struct poe_transition *t);
void sched_groups_finish(struct sched_groups *groups);

/* Whether member i is the first of its rank at this site. */
bool sched_group_is_new(const struct sched_group *group, size_t i);

/* One finding for the group: each member has a row that ends with what `tell` says (which is freed), each
 * rank its places. The message is still to be said. */
struct sched_draft *sched_group_draft(struct sched_run *run, const struct sched_group *group,
                                      enum isp_rule rule,
                                      char *(*tell)(const struct sched_run *, const struct poe_transition *));

#endif
