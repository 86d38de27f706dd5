/* SPDX-License-Identifier: BSD-3-Clause */
/* See draft.h. */
#include "draft.h"

#include <assert.h>
#include <stdarg.h>

#include "base/alloc.h"
#include "run/options.h"
#include "story.h"
#include "words/words.h"

struct sched_draft {
    struct sched_run *run;
    struct sched_finding finding; /* all that it holds is its own */
    struct sched_story *story;
    char *key;
    char **words;
    size_t n_words;
};

struct sched_draft *sched_draft_create(struct sched_run *run, enum isp_rule rule)
{
    struct sched_draft *d = sched_alloc(1, sizeof *d);
    d->run = run;
    d->finding = (struct sched_finding){.rule = rule, .buffered = run->buffered, .count = 1};
    d->finding.interleaving = run->interleaving ? sched_strdup(run->interleaving) : NULL;
    d->story = sched_story_create(run);
    return d;
}

struct sched_finding *sched_draft_end(struct sched_draft *d)
{
    assert(d->finding.message);
    d->finding.story = sched_story_end(d->story);
    struct sched_finding *entry = sched_findings_add(d->run->findings, d->key, &d->finding);
    sched_finding_finish(&d->finding);
    for (size_t i = 0; i < d->n_words; i++)
        free(d->words[i]);
    free(d->words);
    free(d->key);
    free(d);
    return entry;
}

/* ---- what it says ---- */

void sched_draft_message(struct sched_draft *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_words_add_list(&d->finding.message, format, args);
    va_end(args);
}

void sched_draft_row(struct sched_draft *d, int rank, const struct isp_call *call, char *what)
{
    sched_story_row(d->story, rank, -1, call, what);
}

void sched_draft_row_of_thread(struct sched_draft *d, int rank, int thread, const struct isp_call *call,
                               char *what)
{
    sched_story_row(d->story, rank, thread, call, what);
}

void sched_draft_line(struct sched_draft *d, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    sched_words_add_list(&line, format, args);
    va_end(args);
    sched_words_add(&line, "\n");
    sched_draft_lines(d, line);
}

void sched_draft_lines(struct sched_draft *d, char *lines)
{
    if (lines)
        sched_story_add(d->story, lines);
    free(lines);
}

/* ---- whom and where ---- */

void sched_draft_at(struct sched_draft *d, const struct poe_transition *t)
{
    sched_draft_site(d, t->rank, t->call.fn, t->call.site);
}

void sched_draft_site(struct sched_draft *d, int rank, uint16_t fn, uint32_t site)
{
    sched_draft_beside(d, rank, fn, site);
    if (rank >= 0)
        sched_draft_rank(d, rank);
}

void sched_draft_beside(struct sched_draft *d, int rank, uint16_t fn, uint32_t site)
{
    struct sched_finding *f = &d->finding;
    SCHED_GROW(f->sites, f->n_sites);
    f->sites[f->n_sites++] = (struct sched_site_ref){.rank = rank, .fn = fn, .site = site};
}

void sched_draft_rank(struct sched_draft *d, int rank) { sched_finding_add_rank(&d->finding, rank); }

/* ---- what makes it the same as another ---- */

void sched_draft_key(struct sched_draft *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_words_add_list(&d->key, format, args);
    va_end(args);
}

/* " fn:call". Caller frees. */
static char *call_of(const struct sched_run *run, uint16_t fn, uint32_t site)
{
    char *call = sched_sites_call(run->sites, site, run->options->stacks),
         *text = call ? sched_format(" %u:%s", fn, call) : sched_format(" %u:" SCHED_KEY_SITE, fn, site);
    free(call);
    return text;
}

void sched_draft_key_call(struct sched_draft *d, uint16_t fn, uint32_t site)
{
    char *call = call_of(d->run, fn, site);
    sched_draft_key(d, "%s", call);
    free(call);
}

void sched_draft_about(struct sched_draft *d, const char *about)
{
    const struct sched_finding *f = &d->finding;
    free(d->key);
    d->key = sched_draft_place_key(d->run, f->rule, f->n_sites ? f->sites[0].fn : 0,
                                   f->n_sites ? f->sites[0].site : 0, about);
}

char *sched_draft_place_key(const struct sched_run *run, enum isp_rule rule, uint16_t fn, uint32_t site,
                            const char *about)
{
    char *call = call_of(run, fn, site), *key = sched_format("%s%s %s", sched_rule_id(rule), call, about);
    free(call);
    return key;
}

void sched_draft_count(struct sched_draft *d, uint64_t count) { d->finding.count = count ? count : 1; }

void sched_draft_cause(struct sched_draft *d, char *cause)
{
    free(d->finding.cause);
    d->finding.cause = cause;
}

/* ---- words ---- */

const char *sched_draft_own(struct sched_draft *d, char *text)
{
    SCHED_GROW(d->words, d->n_words);
    return d->words[d->n_words++] = text;
}

const char *sched_draft_call(struct sched_draft *d, const struct isp_call *call)
{
    return sched_draft_own(d, sched_words_call(d->run, call));
}

const char *sched_draft_place(struct sched_draft *d, uint32_t site)
{
    return sched_draft_own(d, sched_words_place(d->run, site));
}

const char *sched_draft_ranks(struct sched_draft *d)
{
    return sched_draft_own(d, sched_words_ranks(d->finding.ranks, d->finding.n_ranks));
}
