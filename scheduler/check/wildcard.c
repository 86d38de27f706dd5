/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes where the outcome depends on which message comes first: one note per call site, which counts its
 * choice points. Those that an earlier run has shown are not to be counted twice: run->counted says which
 * those are.
 */
#include "check.h"
#include "base/alloc.h"

static char *tell(const struct poe_alternative *a)
{
    switch (a->kind) {
    case POE_TAKE_MESSAGE: return sched_format("can be received here");
    case POE_TAKE_SUBSET: return sched_format("%u of its operations can complete", a->n);
    case POE_NOT_YET: return sched_format("can be told `not yet`");
    case POE_CANCEL: return sched_format("can be cancelled");
    case POE_ADMIT: return sched_format("can come first");
    case POE_GRANT: break; /* one alternative */
    }
    return NULL;
}

static void describe(struct sched_run *run, const struct poe_choice *choice, const char *key)
{
    const struct poe_alternative *all = choice->alternatives;
    const struct poe_transition *t = choice->transition;
    bool messages = all[0].kind == POE_TAKE_MESSAGE && all[choice->n - 1].kind == POE_TAKE_MESSAGE;
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_WILDCARD);
    sched_draft_message(d, messages ? "%s can take any of %u messages" : "%s has %u possible outcomes",
                        sched_draft_call(d, &t->call), choice->n);
    for (unsigned i = 0; i < choice->n; i++) {
        const struct poe_transition *shown = all[i].kind == POE_TAKE_MESSAGE && all[i].send ? all[i].send : t;
        sched_draft_row(d, shown->rank, &shown->call, tell(&all[i]));
    }
    sched_draft_at(d, t);
    sched_draft_key(d, "%s", key);
    sched_draft_end(d);
}

/* Words take time, and most choice points are at a site that has been described. */
void sched_check_choice(struct sched_run *run, const struct poe_choice *choice)
{
    if (choice->n < 2)
        return;
    const struct isp_call *call = &choice->transition->call;
    int rank = choice->transition->rank;
    struct sched_site_ref site = {.rank = rank, .fn = call->fn, .site = call->site};
    char *key = sched_format("wildcard %u:" SCHED_KEY_SITE, call->fn, call->site);
    struct sched_finding again = {.rule = ISP_RULE_WILDCARD,
                                  .buffered = run->buffered,
                                  .count = 1,
                                  .interleaving = (char *)run->interleaving,
                                  .ranks = &rank,
                                  .n_ranks = 1,
                                  .sites = &site,
                                  .n_sites = 1};
    if (!sched_findings_count_again(run->findings, key, &again))
        describe(run, choice, key);
    free(key);
}
