/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes where the outcome depends on which message comes first: one note per call site, which counts its
 * choice points. Those that an earlier run has shown are not to be counted twice: run->counted says which
 * those are.
 */
#include <stdlib.h>

#include "check.h"
#include "base/alloc.h"
#include "story.h"
#include "words/words.h"

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

static char *message(const struct sched_run *run, const struct poe_choice *choice)
{
    const struct poe_transition *t = choice->transition;
    char *call = sched_words_call(run, &t->call);
    char *text = choice->alternatives[0].kind == POE_TAKE_MESSAGE &&
                         choice->alternatives[choice->n - 1].kind == POE_TAKE_MESSAGE
                     ? sched_format("%s can take any of %u messages", call, choice->n)
                     : sched_format("%s has %u possible outcomes", call, choice->n);
    free(call);
    return text;
}

void sched_check_choice(struct sched_run *run, const struct poe_choice *choice)
{
    if (choice->n < 2)
        return;
    const struct poe_transition *t = choice->transition;
    struct sched_story *story = sched_story_create(run);
    for (unsigned i = 0; i < choice->n; i++) {
        const struct poe_alternative *a = &choice->alternatives[i];
        const struct poe_transition *shown = a->kind == POE_TAKE_MESSAGE && a->send ? a->send : t;
        sched_story_row(story, shown->rank, &shown->call, tell(a));
    }
    int rank = t->rank;
    struct sched_site_ref site = {t->rank, t->call.fn, t->call.site};
    struct sched_finding finding = {.rule = ISP_RULE_WILDCARD,
                                    .message = message(run, choice),
                                    .story = sched_story_end(story),
                                    .interleaving = (char *)run->interleaving,
                                    .buffered = run->buffered,
                                    .ranks = &rank,
                                    .n_ranks = 1,
                                    .sites = &site,
                                    .n_sites = 1,
                                    .count = 1};
    char *key = sched_format("wildcard %u:" SCHED_KEY_SITE, t->call.fn, t->call.site);
    sched_findings_add(run->findings, key, &finding);
    free(key);
    free(finding.message);
    free(finding.story);
}
