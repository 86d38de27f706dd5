/* SPDX-License-Identifier: BSD-3-Clause */
/* See pair.h. */
#include "pair.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "words/words.h"

static const char *verb(const struct poe_transition *t)
{
    return t->call.op == ISP_OP_SEND ? "sends" : "receives";
}

void sched_pair_report(struct sched_run *run, enum isp_rule rule, const struct poe_transition *first,
                       const struct poe_transition *second, char *message, char *facts)
{
    char *here = sched_words_call(run, &first->call), *there = sched_words_call(run, &second->call);
    char *place = sched_words_place(run, second->call.site);
    struct sched_site_ref sites[] = {{first->rank, first->call.fn, first->call.site},
                                     {second->rank, second->call.fn, second->call.site}};
    bool ascending = first->rank < second->rank;
    int ranks[] = {ascending ? first->rank : second->rank, ascending ? second->rank : first->rank};
    struct sched_finding finding = {.rule = rule,
                                    .message = message,
                                    .story = sched_format("rank %d %s by %s\nrank %d %s by %s at %s\n%s",
                                                          first->rank, verb(first), here, second->rank,
                                                          verb(second), there, place, facts ? facts : ""),
                                    .interleaving = (char *)run->interleaving,
                                    .buffered = run->buffered,
                                    .ranks = ranks,
                                    .n_ranks = ranks[0] == ranks[1] ? 1 : 2,
                                    .sites = sites,
                                    .n_sites = 2,
                                    .count = 1};
    char *key =
        sched_format("%d " SCHED_KEY_SITE " " SCHED_KEY_SITE, rule, first->call.site, second->call.site);
    sched_findings_add(run->findings, key, &finding);
    char *all[] = {key, message, facts, finding.story, here, there, place};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}
