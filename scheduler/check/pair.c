/* SPDX-License-Identifier: BSD-3-Clause */
/* See pair.h. */
#include "pair.h"

static const char *verb(const struct poe_transition *t)
{
    return t->call.op == ISP_OP_SEND ? "sends" : "receives";
}

struct sched_draft *sched_pair_draft(struct sched_run *run, enum isp_rule rule,
                                     const struct poe_transition *first, const struct poe_transition *second)
{
    struct sched_draft *d = sched_draft_create(run, rule);
    sched_draft_line(d, "rank %d %s by %s", first->rank, verb(first), sched_draft_call(d, &first->call));
    sched_draft_line(d, "rank %d %s by %s at %s", second->rank, verb(second),
                     sched_draft_call(d, &second->call), sched_draft_place(d, second->call.site));
    sched_draft_at(d, first);
    sched_draft_at(d, second);
    sched_draft_key(d, "%d " SCHED_KEY_SITE " " SCHED_KEY_SITE, rule, first->call.site, second->call.site);
    return d;
}
