/* SPDX-License-Identifier: BSD-3-Clause */
/* See draft.h. */
#include "draft.h"

#include <string.h>

#include "base/alloc.h"
#include "findings/findings.h"
#include "findings/rule.h"
#include "isp/functions.h"
#include "judge.h"
#include "sites/sites.h"
#include "words/words.h"

void sched_draft_rank(struct sched_draft *d, int rank)
{
    d->ranks = sched_grow(d->ranks, d->n_ranks + 1, sizeof *d->ranks);
    d->ranks[d->n_ranks++] = rank;
}

void sched_draft_site(struct sched_draft *d, int rank, uint16_t fn, uint32_t site)
{
    d->sites = sched_grow(d->sites, d->n_sites + 1, sizeof *d->sites);
    d->sites[d->n_sites++] = (struct sched_site_ref){.rank = rank, .fn = fn, .site = site};
}

/* Two are the same if rule, `about` and the first site are. */
static char *key_of(enum isp_rule rule, uint16_t fn, uint32_t site, const char *about)
{
    return sched_format("%s %u:" SCHED_KEY_SITE " %s", sched_rule_id(rule), fn, site, about);
}

char *sched_judge_key(const struct sched_told *t) { return key_of(t->rule, t->fn, t->site, "told"); }

void sched_draft_end(struct sched_world *w, struct sched_draft *d, const char *about)
{
    char *key = key_of(d->rule, d->n_sites ? d->sites[0].fn : 0, d->n_sites ? d->sites[0].site : 0, about);
    struct sched_finding f = {
        .rule = d->rule,
        .message = d->message,
        .story = d->story ? d->story : "",
        .interleaving = (char *)w->run->interleaving,
        .buffered = w->run->buffered,
        .ranks = d->ranks,
        .n_ranks = d->n_ranks,
        .sites = d->sites,
        .n_sites = d->n_sites,
        .count = d->count ? d->count : 1,
    };
    sched_findings_add(w->run->findings, key, &f);
    free(key);
    free(d->message);
    free(d->story);
    free(d->ranks);
    free(d->sites);
}

char *sched_tell_state(struct sched_world *w)
{
    char *text = NULL;
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank_view view = sched_world_rank(w, i), *r = &view;
        if (!r->initialized) {
            sched_words_add(&text, "rank %d %s\n", i, r->gone ? "has left" : "has not reached MPI_Init");
            continue;
        }
        char *place = sched_words_place(w->run, r->site);
        const char *state = r->finalized           ? "has finalized"
                            : r->gone || r->exited ? "has left"
                            : r->still             ? "waits"
                                                   : "runs";
        if (r->polls || r->accesses)
            sched_words_add(&text, "rank %d accesses windows, now with %s at %s\n", i,
                            isp_fn_name((enum isp_fn)r->fn), place);
        else if (r->still)
            sched_words_add(&text, "rank %d waits in %s at %s\n", i, isp_fn_name((enum isp_fn)r->fn), place);
        else if (r->finalized || !r->fn)
            sched_words_add(&text, "rank %d %s\n", i, state);
        else
            sched_words_add(&text, "rank %d %s; its last call was %s at %s\n", i, state,
                            isp_fn_name((enum isp_fn)r->fn), place);
        free(place);
    }
    return text;
}

size_t sched_frames_down_to_main(struct sched_world *w, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *function = sched_sites_find(w->run->sites, frames[i])->function;
        if (function && (strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0))
            return i + 1;
    }
    return n;
}

char *sched_tell_frames(struct sched_world *w, const uint32_t *frames, size_t n)
{
    char *text = NULL;
    n = sched_frames_down_to_main(w, frames, n);
    for (size_t i = 0; i < n; i++) {
        char *place = sched_words_place(w->run, frames[i]);
        sched_words_add(&text, "#%zu %s\n", i, place);
        free(place);
    }
    return text;
}

const char *sched_last_call(const struct sched_rank_view *r)
{
    return r->fn ? isp_fn_name((enum isp_fn)r->fn) : "none";
}

const struct sched_told *sched_told_find(const struct sched_world *w, uint8_t type)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == type)
            return &w->told[i];
    return NULL;
}
